import type { Session } from "@wink/session";
import type { Deadline } from "../budget/deadline.js";

/** How things stand when a provider is asked. */
export interface FeedbackMoment {
  readonly session: Session;
  readonly deadline: Deadline | undefined;
  /** Calls in this prompt so far, denied ones left out. */
  readonly toolCalls: number;
  /** Calls since this provider last said something; all of them when it has not. */
  readonly toolCallsSince: number;
  /** Milliseconds since this provider last said something; `undefined` when it has not. */
  readonly msSince: number | undefined;
}

/**
 * Tells the model something between turns that it should hear and would not ask for.
 *
 * `trigger` says when, cheaply; `provide` says what, or nothing after all.
 */
export interface FeedbackProvider {
  /** Stable: what was said is remembered by it. */
  readonly name: string;
  trigger(moment: FeedbackMoment): boolean;
  provide(moment: FeedbackMoment): string | undefined | Promise<string | undefined>;
}

/** What a provider said. */
export interface Feedback {
  readonly provider: string;
  readonly text: string;
}
