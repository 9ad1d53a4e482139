import { defineTool, MarkdownSection, ok, Prompt, PromptTemplate } from "@wink/prompt";
import { Session } from "@wink/session";
import { expect, it } from "vitest";
import { z } from "zod";
import { findKnownModel, KNOWN_MODELS } from "./known-models.js";
import { ModelAdapter } from "./model-adapter.js";
import type { ModelClient, ModelRequest } from "./model-client.js";

const picture = { mediaType: "image/png", data: "AAAA" } as const;
const look = defineTool({
  name: "look",
  description: "Look.",
  input: z.object({}),
  access: "read",
  handler: () => ok(undefined, "A picture.", { images: [picture] }),
});
const sections = [
  new MarkdownSection({ key: "task", title: "Task", template: "Do.", tools: [look] }),
];
const prompt = () =>
  new Prompt(new PromptTemplate({ ns: "tests", key: "output", sections })).bind({});

/** Looks, then ends. */
function thinker() {
  const requests: ModelRequest[] = [];
  const client: ModelClient = {
    name: "thinker",
    async ask(request, { onText, onThought }) {
      const isFirst = requests.push(request) === 1;
      onThought?.("Hm, ");
      onThought?.("a picture.");
      onText("Well.");
      const toolCalls = [{ toolCallId: "1", toolName: "look", arguments: "{}" }];
      return {
        ...{ text: "Well.", stopReason: "end", toolCalls: isFirst ? toolCalls : [] },
        usage: { inputTokens: 1, outputTokens: 1 },
      };
    },
  };
  return { client, requests };
}

it("thoughts are separate events and not part of the answer (MD-2)", async () => {
  const { client } = thinker();
  const events: unknown[] = [];
  const { text } = await new ModelAdapter(client).evaluate(prompt(), {
    session: new Session(),
    onEvent: (event) => event.type.endsWith("-delta") && events.push(event),
  });
  expect(text).toBe("Well.");
  expect(events.slice(0, 3)).toEqual([
    { type: "thought-delta", turn: 0, text: "Hm, " },
    { type: "thought-delta", turn: 0, text: "a picture." },
    { type: "text-delta", turn: 0, text: "Well." },
  ]);
});

it.each([
  { images: true, message: { text: "A picture.", images: [picture] } },
  {
    images: false,
    message: { text: "A picture.\nThis model cannot see images, so the image is not shown." },
  },
])("a model with images: $images gets the images of a tool or a sentence (MD-5)", async (row) => {
  const { client, requests } = thinker();
  const adapter = new ModelAdapter(client, { images: row.images });
  await adapter.evaluate(prompt(), { session: new Session() });
  const call = { role: "tool", toolCallId: "1", toolName: "look", success: true };
  expect(requests[1]?.messages.at(-1)).toEqual({ ...call, ...row.message });
});

it("every known price has a source and a date, also for a dated model (MD-3)", () => {
  for (const { source, date, prices } of Object.values(KNOWN_MODELS)) {
    expect(source).toMatch(/^https:\/\//);
    expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(prices.inputUsd).toBeGreaterThan(0);
  }
  expect(findKnownModel("claude-opus-4-5-20251101")).toBe(KNOWN_MODELS["claude-opus-4-5"]);
  expect(findKnownModel("gpt-5.1-2025-11-13")).toBe(KNOWN_MODELS["gpt-5.1"]);
  for (const name of ["llama", "constructor", "gpt-5.1-mini"])
    expect(findKnownModel(name)).toBe(undefined);
});
