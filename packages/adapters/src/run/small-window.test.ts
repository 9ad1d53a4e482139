import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InMemoryFilesystem } from "@wink/filesystem";
import { defineTool, MarkdownSection, ok, Prompt, PromptTemplate } from "@wink/prompt";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { defineAgent } from "../agent/agent.js";
import { ModelError } from "../error/model-error.js";
import { estimateTokens } from "../runtime/loop/count-tokens.js";
import { ModelAdapter } from "../runtime/loop/model-adapter.js";
import type { ModelClient } from "../runtime/loop/model-client.js";
import { Run } from "./run.js";

/** What the provider accepts. The adapter does not know it and assumes 128,000. */
const WINDOW_TOKENS = 12_000;
const TURNS = 3;
const CALLS = 8;
const PAGE = "😀 a page ".repeat(2_000);

const read = defineTool({
  name: "read",
  description: "Read a page.",
  input: z.object({ page: z.string() }),
  access: "read",
  effects: "workspace",
  // Half a character at the end.
  handler: ({ page }) => ok(`${page} ${PAGE}`.slice(0, 20_001 + page.length), `Page ${page}.`),
  render: (text) => text,
});

class Files extends MarkdownSection<"files"> {
  readonly filesystem = new InMemoryFilesystem();

  constructor() {
    super({ key: "files", title: "Files", template: "Read.", tools: [read] });
  }
}

async function open(directory: string) {
  const files = new Files();
  const agent = defineAgent<undefined, undefined>({
    prompt: () => {
      const template = new PromptTemplate({ ns: "tests", key: "pages", sections: [files] });
      return new Prompt(template).bind({});
    },
  });
  const { filesystem } = files;
  return await Run.open(directory, { agent, params: undefined, filesystem, restoreFiles: true });
}

/** Makes several calls in each turn. What it answers depends only on the request. */
function reader(stop?: { readonly at: number; readonly with: AbortController }) {
  const requests: string[] = [];
  let refused = 0;
  const client: ModelClient = {
    name: "reader",
    async ask(request) {
      requests.push(JSON.stringify(request));
      if (requests.length - 1 === stop?.at) {
        stop.with.abort(new Error("stopped"));
        await new Promise(() => {});
      }
      const inputTokens = estimateTokens(request);
      if (inputTokens > WINDOW_TOKENS) {
        refused++;
        throw new ModelError("CONTEXT_LENGTH");
      }
      const last = request.messages.findLast((message) => message.role === "tool");
      const turnNumber = last === undefined ? 0 : Number(last.toolCallId.split("-")[0]) + 1;
      const turn = { usage: { inputTokens, outputTokens: 9 }, stopReason: "end" } as const;
      if (request.messages.at(-1)?.text.startsWith("The conversation is about"))
        return { ...turn, text: `Up to ${turnNumber}.`, toolCalls: [] };
      if (turnNumber >= TURNS) return { ...turn, text: "Done.", toolCalls: [] };
      const toolCalls = Array.from({ length: CALLS }, (_, at) => {
        const toolCallId = `${turnNumber}-${at}`;
        return { toolCallId, toolName: "read", arguments: JSON.stringify({ page: toolCallId }) };
      });
      return { ...turn, text: "I read on.", toolCalls };
    },
  };
  return { adapter: new ModelAdapter(client), requests, refused: () => refused };
}

function place(): string {
  const directory = mkdtempSync(join(tmpdir(), "wink-small-window-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return join(directory, "run");
}

it("results of one turn that do not fit together are shown in part, also after a stop at any request (MD-20, MD-23, MD-25)", async () => {
  const whole = await open(place());
  const undisturbed = reader();
  const response = await whole.continue(undisturbed.adapter);
  expect(response).toMatchObject({ text: "Done." });
  await whole.close();
  const { requests, refused } = undisturbed;
  expect(refused()).toBeGreaterThan(0);
  expect(requests.join("")).toMatch(/The middle of this result of 20,\d+ characters is left out/);
  for (const request of requests) expect(JSON.parse(request)).toSatisfy(isWellFormed);

  for (const at of [2, 3, 5]) {
    const directory = place();
    const stop = new AbortController();
    const first = await open(directory);
    const { adapter } = reader({ at, with: stop });
    await expect(first.continue(adapter, { signal: stop.signal })).rejects.toThrow();
    await first.close();
    const second = await open(directory);
    const rest = reader();
    await second.continue(rest.adapter);
    await second.close();
    expect(rest.requests, `stopped at request ${at}`).toEqual(requests.slice(at));
  }
});

function isWellFormed(request: { readonly messages: readonly { readonly text: string }[] }) {
  return request.messages.every(({ text }) => text.isWellFormed());
}
