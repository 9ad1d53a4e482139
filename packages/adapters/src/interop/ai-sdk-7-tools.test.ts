import { generateText, stepCountIs, type ToolSet } from "ai-7";
import { MockLanguageModelV4 } from "ai-7/test";
import { expect, it, onTestFinished, vi } from "vitest";
import { editor, PIXEL } from "../mcp/editor.test.support.js";
import { toAiSdkTools } from "./ai-sdk-tools.js";

vi.mock("ai", () => import("ai-7"));

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

it("AI SDK 7 gets images without a warning, and a failed call is rolled back (AD-50)", async () => {
  const { prompt, session, content } = editor();
  const warned = vi.spyOn(console, "warn").mockReturnValue(undefined);
  onTestFinished(() => warned.mockRestore());
  const turn = (toolName: string) => ({
    content: [{ type: "tool-call" as const, toolCallId: toolName, toolName, input: "{}" }],
    finishReason: { unified: "tool-calls" as const, raw: undefined },
    ...{ usage, warnings: [] },
  });
  const done = { unified: "stop" as const, raw: undefined };
  const end = { content: [{ type: "text" as const, text: "Done." }], finishReason: done };
  const model = new MockLanguageModelV4({
    doGenerate: [turn("draw"), turn("break_file"), { ...end, usage, warnings: [] }],
  });
  // The two versions of the SDK have different types for the same tool set.
  const tools = (await toAiSdkTools(prompt, session)) as unknown as ToolSet;
  await generateText({ model, tools, prompt: "Go.", stopWhen: stepCountIs(5) });
  const read = JSON.stringify(model.doGenerateCalls.map(({ prompt: sent }) => sent.at(-1)));
  expect(read).toContain(PIXEL);
  expect(read).not.toContain("image-data");
  expect(read).toContain("undone: changes to 'a.txt'");
  expect(await content()).toBe("");
  expect(warned.mock.calls.flat().join(" ")).not.toContain("AISDK_DEP");
});
