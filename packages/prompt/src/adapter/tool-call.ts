import type { Session } from "@wink/session";
import type { Budget } from "../budget/budget.js";
import type { Deadline } from "../budget/deadline.js";
import { requireMember, requireObject } from "../error/check-options.js";
import type { ProviderAdapter } from "../protocol/provider-adapter.js";
import type { RenderedPrompt, RenderedTool } from "../protocol/rendered-prompt.js";
import type { ToolContext } from "../protocol/tool-context.js";
import type { ResourceReader } from "../resource/resource.js";
import type { ResourceScope } from "../resource/resource-scope.js";
import { cannotPark } from "../tool/cannot-park.js";
import { missingFilesystem } from "../tool/missing-filesystem.js";

/** One tool call with the context for its handler. Close it when the handler is done. */
export interface ToolCall extends AsyncDisposable {
  readonly context: ToolContext;
  /**
   * Closes the `tool-call` resources that the handler used. Returns `undefined`, not a promise, if
   * it used none.
   */
  close(): Promise<void> | undefined;
}

/**
 * Key under which a context stores the resources of its call. A WeakMap instead would slow down
 * every garbage collection.
 */
const RESOURCES = Symbol("resources");

interface CallResources {
  /** Created on first use, because most handlers use no resources. */
  scope: ResourceScope | undefined;
  isOver: boolean;
}

interface WithResources extends ToolContext {
  readonly [RESOURCES]: CallResources;
}

/** Creates the context for one call. Every adapter does this before it runs a handler. */
export function openToolCall(options: {
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
  /**
   * Replaces the tool's own filesystem, for example with a revocable view. @default the tool's own
   */
  readonly filesystem?: ToolContext["filesystem"] | undefined;
  /** @default toolCallId */
  readonly idempotencyKey?: string | undefined;
  /** @default rejects, because the run is not durable */
  readonly park?: ToolContext["park"] | undefined;
}): ToolCall {
  requireMember("openToolCall", options?.rendered, "prompt", "the result of prompt.render()");
  requireObject("openToolCall", options.tool, "a tool of the prompt");
  const { rendered, tool, adapter, session, toolCallId, signal, deadline, budget } = options;
  const resources: CallResources = { scope: undefined, isOver: false };
  const context: WithResources = Object.freeze({
    prompt: rendered.prompt,
    renderedPrompt: rendered,
    adapter,
    session,
    filesystem: options.filesystem ?? tool.filesystem ?? missingFilesystem,
    deadline,
    budget,
    signal,
    toolCallId,
    idempotencyKey: options.idempotencyKey ?? toolCallId,
    park: options.park ?? cannotPark,
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

/** The resources that a handler may use. Each one is created on first use. */
export function resourcesOf(context: ToolContext): ResourceReader {
  requireMember("resourcesOf", context, "prompt", "the context that the handler got");
  if (!hasResources(context)) return context.prompt.resources.forCall();
  const resources = context[RESOURCES];
  if (resources.scope === undefined) {
    resources.scope = context.prompt.resources.forCall();
    // A handler that outlives its call cannot create new resources.
    if (resources.isOver) void resources.scope.close();
  }
  return resources.scope;
}

function hasResources(context: ToolContext): context is WithResources {
  return RESOURCES in context;
}
