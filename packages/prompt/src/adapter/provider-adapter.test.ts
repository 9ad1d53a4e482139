import { type Filesystem, InMemoryFilesystem } from "@wink/filesystem";
import { Session } from "@wink/session";
import { expect, it } from "vitest";
import { z } from "zod";
import { Budget } from "../budget/budget.js";
import { Deadline } from "../budget/deadline.js";
import { collectFeedback } from "../feedback/collect-feedback.js";
import { deadlineFeedback } from "../feedback/feedback-providers.js";
import { checkPolicies } from "../policy/check-policies.js";
import { readBeforeWrite } from "../policy/read-before-write.js";
import type { AgentEvent } from "../protocol/agent-event.js";
import type { BoundPrompt } from "../protocol/bound-prompt.js";
import type {
  EvaluateOptions,
  EvaluationStream,
  PromptResponse,
  ProviderAdapter,
} from "../protocol/provider-adapter.js";
import type { RenderedPrompt } from "../protocol/rendered-prompt.js";
import { viewOf } from "../protocol/tool-files.js";
import { fail, ok, type ToolResult } from "../protocol/tool-result.js";
import { MarkdownSection } from "../section/markdown-section.js";
import { Prompt } from "../template/prompt.js";
import { PromptTemplate } from "../template/prompt-template.js";
import { defineTool } from "../tool/define-tool.js";
import { parseInput } from "../tool/parse-input.js";
import { renderResult } from "../tool/render-result.js";
import { policyCall, recordToolCall } from "./record-tool-call.js";
import { openToolCall } from "./tool-call.js";

/** One model turn: tool calls, or the final answer. */
type Turn = readonly (readonly [tool: string, input: unknown])[] | { readonly answer: unknown };

/**
 * An adapter that replays the turns written in the test. It is the smallest implementation of the
 * interface.
 */
class ScriptedAdapter implements ProviderAdapter {
  readonly name = "scripted";
  /** What the model received: instructions, tool names, and the conversation so far. */
  readonly seen: { text: string; tools: string; conversation: readonly string[] }[] = [];
  readonly #turns: readonly Turn[];

  constructor(turns: readonly Turn[]) {
    this.#turns = turns;
  }

  async evaluate<Output>(
    prompt: BoundPrompt<Output>,
    options: EvaluateOptions,
  ): Promise<PromptResponse<Output>> {
    const { session, deadline, onEvent } = options;
    await prompt.open();
    const conversation: string[] = [];
    let toolCalls = 0;
    let requested = 0;
    const onCall = () => toolCalls++;
    for (const [index, turn] of this.#turns.entries()) {
      const rendered = prompt.render({ session });
      const tools = rendered.tools.map(({ name }) => name).join(" ");
      this.seen.push({ text: rendered.text, tools, conversation: [...conversation] });
      onEvent?.({ type: "turn-started", turn: index });
      if ("answer" in turn) {
        const checked = await rendered.output?.schema["~standard"].validate(turn.answer);
        if (checked?.issues) throw new Error("the answer does not fit");
        const usage = { ...NO_TOKENS, toolCalls, turns: index + 1 };
        // Without an `output` schema, the type of `output` is undefined, so undefined is the right
        // value.
        return {
          text: "",
          output: checked?.value as Output,
          usage,
          finishReason: "completed",
        };
      }
      for (const [name, input] of turn) {
        const id = `call-${++requested}`;
        conversation.push(await this.#call(rendered, name, input, id, { ...options, onCall }));
      }
      for (const { text } of await collectFeedback({ rendered, session, deadline }))
        conversation.push(text);
    }
    throw new Error("the script has no answer");
  }

  stream<Output>(prompt: BoundPrompt<Output>, options: EvaluateOptions): EvaluationStream<Output> {
    const events: AgentEvent[] = [];
    const response = this.evaluate(prompt, { ...options, onEvent: (event) => events.push(event) });
    return {
      response,
      async *[Symbol.asyncIterator]() {
        await response;
        yield* events;
      },
    };
  }

  async #call(
    rendered: RenderedPrompt,
    name: string,
    input: unknown,
    toolCallId: string,
    {
      session,
      deadline,
      budget,
      onCall,
      signal = new AbortController().signal,
    }: EvaluateOptions & { readonly onCall: () => void },
  ): Promise<string> {
    const tool = rendered.tool(name);
    if (tool === undefined) return `There is no tool ${name}.`;
    const parsed = await parseInput(tool, input);
    if (!parsed.success) return renderResult(tool, parsed);
    await using made = openToolCall({
      rendered,
      tool,
      adapter: this,
      session,
      toolCallId,
      signal,
      deadline,
      budget,
    });
    const call = policyCall(tool, parsed.value, made.context);
    const decision = await checkPolicies(call);
    if (!decision.allowed) return decision.reason;
    budget?.take({ toolCalls: 1 });
    onCall();
    const before = session.snapshot();
    let result: ToolResult;
    try {
      result = await tool.handler(parsed.value, made.context);
    } catch {
      result = fail("The tool failed.");
    }
    if (!result.success) session.restore(before);
    await recordToolCall(call, result);
    return renderResult(tool, result);
  }
}

const NO_TOKENS = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, costUsd: undefined };

class Files extends MarkdownSection<"files"> {
  readonly filesystem: Filesystem = new InMemoryFilesystem({ files: { "a.txt": "old\n" } });
}

it("the package has everything that an adapter needs to run a prompt (PR-7, PR-10, PR-21, PR-24, PR-28)", async () => {
  const { template, files } = setup();
  const adapter = new ScriptedAdapter([
    [
      ["write", { file_path: "a.txt", content: "new\n" }],
      ["open_sections", { section_keys: ["files"] }],
    ],
    [
      ["write", { file_path: "/a.txt", content: "new\n" }],
      ["read", { file_path: "./a.txt" }],
      ["write", { file_path: "/a.txt", content: "new\n" }],
      ["write", { path: "a.txt" }],
    ],
    { answer: { verdict: "done" } },
  ]);
  const session = new Session();
  const budget = new Budget({ toolCalls: 10 });
  const deadline = Deadline.in("30s");
  await using prompt = new Prompt(template).bind({ task: { goal: "peace" } });
  const { output, usage } = await adapter.evaluate(prompt, { session, budget, deadline });

  expect(output.verdict).toBe("done");
  expect(usage.toolCalls).toBe(3);
  expect(budget.spent.toolCalls).toBe(usage.toolCalls);
  expect((await files.filesystem.read("a.txt")).content).toBe("new\n");
  const [first, second, third] = adapter.seen;
  expect(first).toMatchObject({ tools: "open_sections read_section", conversation: [] });
  // The conversation continues, and the opened section is rendered in full.
  expect(second).toEqual({
    text: "## 1. Task\n\nWork for peace.\n\n## 2. Files\n\nAll about files.",
    tools: "read write",
    conversation: [
      "There is no tool write.",
      'Opened files; shown in full from the next turn on.\n\n{"opened":["files"]}',
      expect.stringMatching(/^About \d+ seconds are left/),
    ],
  });
  expect(third?.conversation.slice(3)).toEqual([
    "'a.txt' exists and you have not read it. Read it first with read.",
    "Read.\n\nold\n",
    "Written.",
    "The input has fields that write does not take: path.\nIts fields are: file_path, content.",
  ]);
});

it("a stream has the events and the response (PR-14)", async () => {
  const adapter = new ScriptedAdapter([
    [["read_section", { section_key: "files" }]],
    { answer: { verdict: "yes" } },
  ]);
  const prompt = new Prompt(setup().template).bind({ task: { goal: "x" } });
  const stream = adapter.stream(prompt, { session: new Session() });
  const types: string[] = [];
  for await (const { type } of stream) types.push(type);
  expect(types).toEqual(["turn-started", "turn-started"]);
  expect((await stream.response).output.verdict).toBe("yes");
});

function setup() {
  const read = defineTool({
    name: "read",
    description: "Reads a file.",
    input: z.object({ file_path: z.string() }),
    access: "read",
    async handler({ file_path }, { filesystem }) {
      return ok(await filesystem.read(file_path), "Read.");
    },
    render: ({ content }) => content,
    files: { views: (_, page) => [viewOf(page)] },
  });
  const write = defineTool({
    name: "write",
    description: "Replaces a file.",
    input: z.object({ file_path: z.string(), content: z.string() }),
    access: "write",
    async handler({ file_path, content }, { filesystem }) {
      await filesystem.write(file_path, content);
      return ok(undefined, "Written.");
    },
    files: { changes: ({ file_path }) => [{ path: file_path, extent: "whole" }] },
  });
  const files = new Files({
    key: "files",
    title: "Files",
    template: "All about files.",
    summary: "There are files.",
    visibility: "summary",
    tools: [read, write],
    policies: [readBeforeWrite()],
  });
  const task = new MarkdownSection({
    key: "task",
    title: "Task",
    params: z.object({ goal: z.string() }),
    // biome-ignore lint/suspicious/noTemplateCurlyInString: placeholders are written so.
    template: "Work for ${goal}.",
  });
  const template = new PromptTemplate({
    ns: "tests",
    key: "loop",
    output: z.object({ verdict: z.string() }),
    feedback: [deadlineFeedback()],
    sections: [task, files],
  });
  return { template, files };
}
