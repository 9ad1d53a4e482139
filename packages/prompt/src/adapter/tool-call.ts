import type { Session } from "@wink/session";
import type { Budget } from "../budget/budget.js";
import type { Deadline } from "../budget/deadline.js";
import type { ProviderAdapter } from "../protocol/provider-adapter.js";
import type { RenderedPrompt, RenderedTool } from "../protocol/rendered-prompt.js";
import type { ToolContext } from "../protocol/tool-context.js";
import type { ResourceReader } from "../resource/resource.js";
import type { ResourceScope } from "../resource/resource-scope.js";
import { noWorkspace } from "../tool/no-workspace.js";

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
  /** Closes what the handler asked for of `tool-call` scope: at once where it asked for nothing. */
  close(): Promise<void> | undefined;
}

/** Where a context keeps what its call has of resources. In a map on the side it would cost every collection of garbage. */
const RESOURCES = Symbol("resources");

interface CallResources {
  /** Made when something is first asked for: most handlers ask for nothing. */
  scope: ResourceScope | undefined;
  isOver: boolean;
}

interface WithResources extends ToolContext {
  readonly [RESOURCES]: CallResources;
}

/** Makes the context for one call: what every adapter does before it runs a handler. */
export function openToolCall(options: ToolCallOptions): ToolCall {
  const { rendered, tool, adapter, session, toolCallId, signal, deadline, budget } = options;
  const resources: CallResources = { scope: undefined, isOver: false };
  const context: WithResources = Object.freeze({
    prompt: rendered.prompt,
    renderedPrompt: rendered,
    adapter,
    session,
    filesystem: options.filesystem ?? tool.filesystem ?? noWorkspace,
    deadline,
    budgetTracker: budget,
    signal,
    toolCallId,
    [RESOURCES]: resources,
  });
  return new OpenToolCall(context, resources);
}

class OpenToolCall implements ToolCall {
  readonly context: ToolContext;
  readonly #resources: CallResources;

  constructor(context: ToolContext, resources: CallResources) {
    this.context = context;
    this.#resources = resources;
  }

  close(): Promise<void> | undefined {
    this.#resources.isOver = true;
    return this.#resources.scope?.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** The resources that a handler may use, each made when it is first asked for. */
export function resourcesOf(context: ToolContext): ResourceReader {
  if (!hasResources(context)) return context.prompt.resources.forCall();
  const resources = context[RESOURCES];
  if (resources.scope === undefined) {
    resources.scope = context.prompt.resources.forCall();
    // A handler that outlives its call gets nothing new.
    if (resources.isOver) void resources.scope.close();
  }
  return resources.scope;
}

function hasResources(context: ToolContext): context is WithResources {
  return RESOURCES in context;
}
