import { InMemoryFilesystem } from "@wink/filesystem";
import { Session } from "@wink/session";
import type { BoundPrompt } from "./protocol/bound-prompt.js";
import type { EvaluateOptions, ProviderAdapter } from "./protocol/provider-adapter.js";
import type { RenderedPrompt } from "./protocol/rendered-prompt.js";
import type { ToolContext } from "./protocol/tool-context.js";
import { Prompt } from "./template/prompt.js";
import { PromptTemplate } from "./template/prompt-template.js";

/** An adapter without a model. Evaluating with it is an error in the test. */
export const noAdapter: ProviderAdapter = Object.freeze({
  name: "none",
  evaluate: (_: BoundPrompt, __: EvaluateOptions) => Promise.reject(noModel()),
  stream: () => {
    throw noModel();
  },
});

export interface ToolContextOptions extends Partial<ToolContext> {}

/**
 * Creates a context for the unit test of a handler.
 *
 * You can pass every part. The default parts are real and new: an in-memory filesystem, a session,
 * a prompt without sections, a signal that never aborts.
 */
export function createToolContext(options: ToolContextOptions = {}): ToolContext {
  const prompt = options.prompt ?? emptyPrompt();
  const session = options.session ?? new Session();
  const renderedPrompt: RenderedPrompt | undefined =
    "renderedPrompt" in options ? options.renderedPrompt : prompt.render({ session });
  return Object.freeze({
    prompt,
    renderedPrompt,
    adapter: options.adapter ?? noAdapter,
    session,
    filesystem: options.filesystem ?? prompt.filesystem({ session }) ?? new InMemoryFilesystem(),
    deadline: options.deadline,
    budget: options.budget,
    signal: options.signal ?? new AbortController().signal,
    toolCallId: options.toolCallId ?? "call-1",
  });
}

function emptyPrompt(): BoundPrompt {
  return new Prompt(new PromptTemplate({ ns: "testing", key: "empty", sections: [] }));
}

function noModel(): Error {
  return new Error("The handler used the adapter, but createToolContext was given none.");
}
