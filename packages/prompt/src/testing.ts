import { InMemoryFilesystem } from "@wink/filesystem";
import { Session } from "@wink/session";
import { checkOptions, requireMember } from "./error/check-options.js";
import type { BoundPrompt } from "./protocol/bound-prompt.js";
import type { EvaluateOptions, ProviderAdapter } from "./protocol/provider-adapter.js";
import type { RenderedPrompt } from "./protocol/rendered-prompt.js";
import type { Tool } from "./protocol/tool.js";
import type { ToolContext } from "./protocol/tool-context.js";
import type { ToolResult } from "./protocol/tool-result.js";
import { Prompt } from "./template/prompt.js";
import { PromptTemplate } from "./template/prompt-template.js";
import { cannotPark } from "./tool/cannot-park.js";
import { parseInput } from "./tool/parse-input.js";

/** An adapter without a model. Evaluating with it is an error in the test. */
export const noAdapter: ProviderAdapter = Object.freeze({
  name: "none",
  evaluate: (_: BoundPrompt, __: EvaluateOptions) => Promise.reject(noModel()),
  stream: () => {
    throw noModel();
  },
});

const CONTEXT_OPTIONS = [
  ...["prompt", "renderedPrompt", "adapter", "session", "filesystem", "deadline", "budget"],
  ...["signal", "toolCallId", "idempotencyKey", "park"],
  // A context may be made from another one: `createToolContext({ ...context, signal })`.
  "call",
];

/** A context for tests. */
export interface TestToolContext extends ToolContext {
  /**
   * Calls a tool as an agent loop does, with input that a model could send: it validates the input
   * and passes the result to the handler. Invalid input gives the failure that the model would get.
   */
  call<Input, Value>(tool: Tool<string, Input, Value>, input: unknown): Promise<ToolResult<Value>>;
}

/**
 * Creates a context for the unit test of a handler.
 *
 * You can pass every part. The default parts are real and new: an in-memory filesystem, a session,
 * a prompt without sections, a signal that never aborts.
 */
export function createToolContext(options: Partial<ToolContext> = {}): TestToolContext {
  checkOptions("createToolContext", options, CONTEXT_OPTIONS);
  if (options.prompt !== undefined)
    requireMember("createToolContext: prompt", options.prompt, "render", "a bound Prompt");
  const prompt = options.prompt ?? emptyPrompt();
  const session = options.session ?? new Session();
  const renderedPrompt: RenderedPrompt | undefined =
    "renderedPrompt" in options ? options.renderedPrompt : prompt.render({ session });
  const context: TestToolContext = Object.freeze({
    prompt,
    renderedPrompt,
    adapter: options.adapter ?? noAdapter,
    session,
    filesystem: options.filesystem ?? prompt.filesystem({ session }) ?? new InMemoryFilesystem(),
    deadline: options.deadline,
    budget: options.budget,
    signal: options.signal ?? new AbortController().signal,
    toolCallId: options.toolCallId ?? "call-1",
    idempotencyKey: options.idempotencyKey ?? options.toolCallId ?? "call-1",
    park: options.park ?? cannotPark,
    call: async <Input, Value>(tool: Tool<string, Input, Value>, input: unknown) => {
      const parsed = await parseInput(tool, input);
      return parsed.success ? await tool.handler(parsed.value, context) : parsed;
    },
  });
  return context;
}

function emptyPrompt(): BoundPrompt {
  return new Prompt(new PromptTemplate({ ns: "testing", key: "empty", sections: [] }));
}

function noModel(): Error {
  return new Error("The handler used the adapter, but createToolContext was given none.");
}
