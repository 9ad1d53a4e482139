import { generateText, stepCountIs, streamText, type ToolSet } from "ai";
import { convertArrayToReadableStream, MockLanguageModelV3 } from "ai/test";
import { describe, expect, it, vi } from "vitest";
import { editor, PIXEL } from "../mcp/editor.test.support.js";
import { toAiSdkTools } from "./ai-sdk-tools.js";
import { isToolCallError } from "./tool-call-error.js";

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const stopWhen = stepCountIs(20);

interface Wanted {
  readonly tool: string;
  readonly input?: object;
}

describe("generateText with a prompt's tools", () => {
  it("commits successful calls, rolls back failed ones, and reports both to the model (AD-50)", async () => {
    const { prompt, session, content, events } = editor();
    const model = scripted(
      [{ tool: "add_line", input: { text: "one" } }],
      [{ tool: "break_file" }],
      [
        { tool: "add_line", input: { text: "two" } },
        { tool: "add_line", input: { txt: "three" } },
        { tool: "add_line", input: { text: "four" } },
      ],
    );
    const tools = await toAiSdkTools(prompt, session);
    const { text, steps } = await generateText({ model, tools, prompt: "Go.", stopWhen });
    expect(text).toBe("Done.");
    expect(await content()).toBe("one\ntwo\nfour\n");
    expect(events()).toEqual(["one", "two", "four"]);
    expect(outputsOf(model, 1)).toEqual([
      { type: "text", value: 'There are 1 lines.\n\n{"lines":1}' },
    ]);
    expect(outputsOf(model, 2)).toEqual([
      {
        type: "error-text",
        value: expect.stringMatching(/It did not work\.[\s\S]*undone: changes to 'a\.txt'/),
      },
    ]);
    expect(outputsOf(model, 3)).toEqual([
      { type: "text", value: expect.stringContaining("There are 2 lines.") },
      { type: "error-text", value: expect.stringContaining("Its fields are: text.") },
      { type: "text", value: expect.stringContaining("There are 3 lines.") },
    ]);
    expect(steps[0]?.toolResults[0]?.output).toEqual({
      text: 'There are 1 lines.\n\n{"lines":1}',
      value: { lines: 1 },
    });
    const failed = steps[1]?.content.find(({ type }) => type === "tool-error");
    const error = failed?.type === "tool-error" ? failed.error : undefined;
    expect(isToolCallError(error) && error.outcome.rolledBack).toBe(true);
  });

  it("sends unchanged schemas, the tools of an opened section, and images (AD-50)", async () => {
    const { prompt, session } = editor();
    const model = scripted(
      [{ tool: "open_sections", input: { section_keys: ["extra"] } }],
      [{ tool: "extra_tool" }, { tool: "draw" }],
    );
    const tools = await toAiSdkTools(prompt, session);
    await generateText({ model, tools, prompt: "Go.", stopWhen });
    const offered = model.doGenerateCalls.map(({ tools = [] }) => tools.map(({ name }) => name));
    expect(offered[0]).not.toContain("extra_tool");
    expect(offered[1]).toContain("extra_tool");
    expect(model.doGenerateCalls[0]?.tools?.[0]).toMatchObject({
      name: "add_line",
      description: expect.stringContaining("Examples:"),
      inputSchema: prompt.render({ session }).tool("add_line")?.inputSchema,
    });
    expect(outputsOf(model, 2)).toEqual([
      { type: "text", value: "Extra." },
      {
        type: "content",
        value: [
          { type: "text", text: "A pixel." },
          { type: "image-data", data: PIXEL, mediaType: "image/png" },
        ],
      },
    ]);
  });
});

describe("streamText with a prompt's tools", () => {
  it("rolls back the running call when it is aborted (AD-50)", async () => {
    const { prompt, session, content, events } = editor();
    const controller = new AbortController();
    const model = new MockLanguageModelV3({
      doStream: {
        stream: convertArrayToReadableStream([
          { type: "stream-start", warnings: [] },
          { type: "tool-call", toolCallId: "1", toolName: "hang", input: "{}" },
          { type: "finish", finishReason: { unified: "tool-calls", raw: undefined }, usage },
        ]),
      },
    });
    const tools: ToolSet = await toAiSdkTools(prompt, session);
    const run = streamText({
      ...{ model, tools, prompt: "Go.", stopWhen, abortSignal: controller.signal },
      onError: () => {},
    });
    const read = run.consumeStream();
    await vi.waitFor(() => expect(events()).toEqual(["half"]), { timeout: 60_000 });
    controller.abort();
    await read;
    await vi.waitFor(() => expect(events()).toEqual([]), { timeout: 60_000 });
    expect(await content()).toBe("");
  });
});

/** A model that makes these calls turn by turn and then finishes. */
function scripted(...turns: readonly (readonly Wanted[])[]): MockLanguageModelV3 {
  let calls = 0;
  return new MockLanguageModelV3({
    doGenerate: [
      ...turns.map((wanted) => ({
        content: wanted.map(({ tool, input = {} }) => ({
          type: "tool-call" as const,
          toolCallId: `call-${++calls}`,
          toolName: tool,
          input: JSON.stringify(input),
        })),
        finishReason: { unified: "tool-calls" as const, raw: undefined },
        usage,
        warnings: [],
      })),
      {
        content: [{ type: "text" as const, text: "Done." }],
        finishReason: { unified: "stop" as const, raw: undefined },
        usage,
        warnings: [],
      },
    ],
  });
}

/** The tool results that the model received with its request for `turn`. */
function outputsOf(model: MockLanguageModelV3, turn: number): unknown[] {
  const last = model.doGenerateCalls[turn]?.prompt.at(-1);
  if (last?.role !== "tool") return [];
  const outputs = last.content.map((part) => (part.type === "tool-result" ? part.output : part));
  // AI SDK 7 hands images to a model as `file-data`, with optional fields that are undefined.
  return JSON.parse(JSON.stringify(outputs).replaceAll('"file-data"', '"image-data"'));
}
