import type { Filesystem } from "@wink/filesystem";
import type { JsonValue, Session } from "@wink/session";
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
  /**
   * Identifies the call in every process that makes it. Send it to services that act at most once per key. If the model
   * repeats a call whose outcome is unknown, that call gets the same key.
   */
  readonly idempotencyKey: string;
  /**
   * Waits for something outside of the process, and resolves to the answer. While there is no answer, the run is parked:
   * the call is rolled back, the process may end, and the call is made again when the run continues. So call it before
   * anything else. Rejects in a run that is not durable.
   */
  park(reason: ParkReason): Promise<JsonValue>;
}

/** What a parked run waits for. */
export interface ParkReason {
  /** `subagent`: the end of a queued subagent. No person answers it. */
  readonly kind: "approval" | "timer" | "reply" | "subagent";
  /** What people read. */
  readonly text: string;
  /** When a timer ends, in milliseconds since 1970. A timer needs no answer. @default none */
  readonly until?: number | undefined;
  /** Details for the program that answers. @default none */
  readonly data?: JsonValue | undefined;
}
