import type { Session } from "@wink/session";
import type { Budget } from "./budget.js";
import type { Deadline } from "./deadline.js";
import { noWorkspace } from "./no-workspace.js";
import type { ProviderAdapter } from "./provider-adapter.js";
import type { RenderedPrompt, RenderedTool } from "./rendered-prompt.js";
import type { ResourceReader } from "./resource.js";
import type { ResourceScope } from "./resource-scope.js";
import type { ToolContext } from "./tool-context.js";

export interface ToolCallOptions {
  readonly rendered: RenderedPrompt;
  /** One of `rendered.tools`. */
  readonly tool: RenderedTool;
  readonly adapter: ProviderAdapter;
  readonly session: Session;
  readonly toolCallId: string;
  readonly signal: AbortSignal;
  /** @default none */
  readonly deadline?: Deadline | undefined;
  /** @default none */
  readonly budget?: Budget | undefined;
  /** In place of the tool's own files, such as a view that can be revoked. @default the tool's own */
  readonly filesystem?: ToolContext["filesystem"] | undefined;
}

/** One call, with the context of its handler. Close it when the handler is done. */
export interface ToolCall extends AsyncDisposable {
  readonly context: ToolContext;
  /** Closes what the handler asked for of `tool-call` scope. */
  close(): Promise<void>;
}

const scopes = new WeakMap<ToolContext, ResourceScope>();

/** Makes the context for one call: what every adapter does before it runs a handler. */
export function openToolCall(options: ToolCallOptions): ToolCall {
  const { rendered, tool, adapter, session, toolCallId, signal, deadline, budget } = options;
  const { prompt } = rendered;
  const context: ToolContext = Object.freeze({
    prompt,
    renderedPrompt: rendered,
    adapter,
    session,
    filesystem: options.filesystem ?? tool.filesystem ?? noWorkspace,
    deadline,
    budgetTracker: budget,
    signal,
    toolCallId,
  });
  const close = () => endScope(context);
  return Object.freeze({ context, close, [Symbol.asyncDispose]: close });
}

/** The resources that a handler may use, each made when it is first asked for. */
export function resourcesOf(context: ToolContext): ResourceReader {
  const known = scopes.get(context);
  if (known !== undefined) return known;
  const scope = context.prompt.resources.forCall();
  scopes.set(context, scope);
  return scope;
}

async function endScope(context: ToolContext): Promise<void> {
  const scope = scopes.get(context) ?? context.prompt.resources.forCall();
  // A closed scope stays, so that a handler that outlives its call gets nothing new.
  scopes.set(context, scope);
  await scope.close();
}
