import { type AgentEvent, MarkdownSection, Prompt, PromptTemplate } from "@wink/prompt";
import { Session } from "@wink/session";
import { expect, it } from "vitest";
import { TranscriptRecorder } from "../../transcript/transcript-recorder.js";
import { TranscriptWriter } from "../../transcript/transcript-writer.js";
import { ModelAdapter } from "./model-adapter.js";

const facts = {
  ...{ responseId: "r1", model: "m-2026", warnings: ["unsupported: topK"] },
  sources: [{ url: "https://a.example", title: "A" }],
};

it("what the provider reports about an answer is in an event and, with thoughts, in the transcript (AD-82, AD-86)", async () => {
  const sections = [new MarkdownSection({ key: "task", title: "Task", template: "Do." })];
  const prompt = new Prompt(new PromptTemplate({ ns: "t", key: "facts", sections })).bind({});
  const usage = { inputTokens: 9, outputTokens: 8, cacheWriteTokens: 3, reasoningTokens: 6 };
  const turn = { text: "Hi.", toolCalls: [], stopReason: "end", usage, thoughts: "Hm." } as const;
  const adapter = new ModelAdapter({ name: "test", ask: async () => ({ ...turn, ...facts }) });
  const events: AgentEvent[] = [];
  const lines: string[] = [];
  const writer = new TranscriptWriter({ append: (line) => void lines.push(line) });
  const transcript = { recorder: new TranscriptRecorder(writer) };
  const response = await adapter.evaluate(prompt, {
    ...{ session: new Session(), transcript, onEvent: (event) => void events.push(event) },
  });
  expect(response.usage).toMatchObject({ cacheWriteTokens: 3, reasoningTokens: 6 });
  expect(events.find(({ type }) => type === "turn-finished")).toMatchObject({ answer: facts });
  expect(lines.join("\n")).toContain('"thoughts":"Hm."');
});
