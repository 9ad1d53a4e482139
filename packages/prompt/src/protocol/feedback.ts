import type { Session } from "@wink/session";
import type { Deadline } from "../budget/deadline.js";

/** The state of the run when a provider is asked. */
export interface FeedbackMoment {
  readonly session: Session;
  readonly deadline: Deadline | undefined;
  /** Number of calls in this prompt so far, without denied ones. */
  readonly toolCalls: number;
  /** Calls since this provider's last feedback, or all calls if there was none. */
  readonly toolCallsSince: number;
  /** Milliseconds since this provider's last feedback, or `undefined` if there was none. */
  readonly msSince: number | undefined;
}

/**
 * Tells the model something between turns that it would not ask for.
 *
 * `trigger` decides when and must be fast. `provide` returns the text, or `undefined` for none.
 */
export interface FeedbackProvider {
  /** Keep it stable: the session stores the last feedback under this name. */
  readonly name: string;
  trigger(moment: FeedbackMoment): boolean;
  provide(moment: FeedbackMoment): string | undefined | Promise<string | undefined>;
}

/** The feedback of one provider. */
export interface Feedback {
  readonly provider: string;
  readonly text: string;
}
