import type { AnySliceToken } from "@wink/session";
import { type Duration, toMilliseconds } from "../budget/duration.js";
import type { FeedbackMoment, FeedbackProvider } from "../protocol/feedback.js";
import { CallTool } from "../tool/tool-calls.js";

export interface DeadlineFeedbackOptions {
  /** From when on. @default "1m" */
  readonly within?: Duration;
  /** How often at most. @default "20s" */
  readonly every?: Duration;
}

/** Says that the time is nearly up. */
export function deadlineFeedback(options: DeadlineFeedbackOptions = {}): FeedbackProvider {
  const withinMs = toMilliseconds(options.within ?? "1m");
  const everyMs = toMilliseconds(options.every ?? "20s");
  return Object.freeze({
    name: "deadline",
    trigger: ({ deadline, msSince }: FeedbackMoment) =>
      deadline !== undefined &&
      deadline.remainingMs() <= withinMs &&
      (msSince === undefined || msSince >= everyMs),
    provide: ({ deadline }: FeedbackMoment) => {
      const seconds = Math.floor((deadline?.remainingMs() ?? 0) / 1_000);
      return `About ${seconds} seconds are left. Finish what matters most and give your answer.`;
    },
  });
}

export interface UntouchedFeedbackOptions {
  /** The state that should have changed, such as the plan. */
  readonly slice: AnySliceToken;
  /** After how many calls of tools that left it alone. @default 8 */
  readonly afterToolCalls?: number;
  /** What the model is told. */
  readonly text: string;
}

/** Says that something the model should keep up to date has not been touched for a while. */
export function untouchedFeedback(options: UntouchedFeedbackOptions): FeedbackProvider {
  const { slice, afterToolCalls = 8, text } = options;
  const touching = new Set(slice.reducers.map(({ event }) => event.type));
  return Object.freeze({
    name: `untouched:${slice.name}`,
    trigger: ({ session, toolCallsSince }: FeedbackMoment) =>
      toolCallsSince >= afterToolCalls &&
      callsSinceTouched(session.events.toArray(), touching) >= afterToolCalls,
    provide: () => text,
  });
}

function callsSinceTouched(
  events: ReturnType<FeedbackMoment["session"]["events"]["toArray"]>,
  touching: ReadonlySet<string>,
): number {
  let calls = 0;
  for (const event of events.toReversed()) {
    if (event.rolledBack) continue;
    if (touching.has(event.type)) return calls;
    if (CallTool.is(event)) calls++;
  }
  return calls;
}
