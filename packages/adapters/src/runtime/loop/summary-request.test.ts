import { defineTool, MarkdownSection, ok, Prompt, PromptTemplate } from "@wink/prompt";
import { Session } from "@wink/session";
import { expect, it } from "vitest";
import { z } from "zod";
import { ModelAdapter } from "./model-adapter.js";
import type { ModelClient, ModelRequest, ModelTurn } from "./model-client.js";
import { SUMMARISE } from "./summary-request.js";

const CHARACTERS = 6_000;

const read = defineTool({
  name: "read",
  description: "Read a page.",
  input: z.object({ page: z.number() }),
  access: "read",
  handler: ({ page }) => ok(`${page} `.repeat(CHARACTERS / `${page} `.length), `Page ${page}.`),
  render: (text) => text,
});

const template = new PromptTemplate({
  ...{ ns: "tests", key: "pages", output: z.object({ pages: z.number() }) },
  sections: [new MarkdownSection({ key: "task", title: "Task", template: "Read.", tools: [read] })],
});

type Answer = Pick<ModelTurn, "text" | "toolCalls">;

/** Reads `pages` pages, and answers requests for a summary with `summary`. */
async function run(
  summary: (request: ModelRequest, count: number) => Answer,
  {
    pages = 30,
    messages = ["Read the pages."],
  }: { pages?: number; messages?: readonly string[] } = {},
) {
  const requests: ModelRequest[] = [];
  const summaries: ModelRequest[] = [];
  let page = 0;
  const client: ModelClient = {
    name: "reader",
    contextWindowTokens: 16_000,
    async ask(request) {
      const turn = { usage: { inputTokens: 0, outputTokens: 0 }, stopReason: "end" } as const;
      if (request.messages.at(-1) === SUMMARISE) {
        summaries.push(request);
        return { ...turn, ...summary(request, summaries.length) };
      }
      requests.push(request);
      if (page >= pages) return { ...turn, text: `{"pages":${page}}`, toolCalls: [] };
      const call = { toolCallId: `call-${page}`, toolName: "read" };
      const toolCalls = [{ ...call, arguments: `{"page":${page++}}` }];
      return { ...turn, text: "I read on. ".repeat(200), toolCalls };
    },
  };
  const adapter = new ModelAdapter(client, { maxTurns: 200, context: { keepResults: 1 } });
  const settings = { toolChoice: "required", temperature: 0.5 } as const;
  const response = await adapter.evaluate(new Prompt(template).bind({}), {
    ...{ session: new Session(), messages, settings },
  });
  return { response, requests, summaries };
}

const noCalls = { toolCalls: [] };

it("a summary is free text, also if the final answer has a schema and a call is forced (MD-20)", async () => {
  const { response, requests, summaries } = await run(() => ({ text: "So far.", ...noCalls }));
  expect(response.output).toEqual({ pages: 30 });
  expect(summaries.length).toBeGreaterThan(0);
  for (const { outputSchema, settings } of summaries)
    expect({ outputSchema, settings }).toEqual({
      outputSchema: null,
      settings: { temperature: 0.5 },
    });
  for (const { outputSchema } of requests) expect(outputSchema).not.toBeNull();
});

it("a model that calls a tool instead of writing a summary is asked again without calls (MD-20)", async () => {
  const call = { toolCallId: "x", toolName: "read", arguments: "{}" };
  const { requests, summaries } = await run(({ settings }) =>
    settings?.toolChoice === "none"
      ? { text: "Written now.", ...noCalls }
      : { text: "", toolCalls: [call] },
  );
  expect(summaries[0]?.settings?.toolChoice).toBeUndefined();
  expect(summaries[1]?.settings?.toolChoice).toBe("none");
  expect(requests.at(-1)?.messages[0]?.text).toContain("## Summary\n\nWritten now.");
});

it("the task stays in every request, also after many further messages and long decisions (MD-22)", async () => {
  const task = `Task: ${"keep this. ".repeat(200)}`;
  const later = Array.from({ length: 60 }, (_, at) => `Message ${at}: ${"more ".repeat(50)}`);
  const { requests } = await run(
    (_, count) => ({
      text: `So far.<decisions>- Decision ${count} ${"x".repeat(3_000)}</decisions>`,
      ...noCalls,
    }),
    { pages: 60, messages: [task, ...later] },
  );
  const first = requests.at(-1)?.messages[0]?.text;
  expect(first).toContain("- Task: keep this.");
  expect(first).toContain("- Message 59:");
  // A tenth of the limit of 12,000 tokens for messages and for decisions, and the rest of the text.
  expect(first?.length).toBeLessThan(2 * 12_000 * 0.1 * 3 + 1_000);
});
