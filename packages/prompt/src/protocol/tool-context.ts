import type { Filesystem } from "@wink/filesystem";
import type { Session } from "@wink/session";
import type { Budget } from "../budget/budget.js";
import type { Deadline } from "../budget/deadline.js";
import type { BoundPrompt } from "./bound-prompt.js";
import type { ProviderAdapter } from "./provider-adapter.js";
import type { RenderedPrompt } from "./rendered-prompt.js";

/** What a handler may use. Frozen, and created for each call. */
export interface ToolContext {
  readonly prompt: BoundPrompt;
  /** What the model saw when it made the call. `undefined` if no model made it. */
  readonly renderedPrompt: RenderedPrompt | undefined;
  readonly adapter: ProviderAdapter;
  readonly session: Session;
  /**
   * The filesystem of the workspace section that the tool belongs to, or else
   * `prompt.filesystem()`. In a prompt without a workspace, every call on it rejects with `EACCES`
   * and a message that says so.
   */
  readonly filesystem: Filesystem;
  readonly deadline: Deadline | undefined;
  readonly budget: Budget | undefined;
  /** Aborts when the call is cancelled. Pass it to everything that waits. */
  readonly signal: AbortSignal;
  readonly toolCallId: string;
}
