import type { AnySliceToken } from "@wink/session";
import { type Duration, toMilliseconds } from "../budget/duration.js";
import { checkOptions, requireMember } from "../error/check-options.js";
import type { FeedbackMoment, FeedbackProvider } from "../protocol/feedback.js";
import { didRun, EndToolCall } from "../tool/tool-calls.js";

/** Warns the model that the deadline is near. */
export function deadlineFeedback(
  options: {
    /** Remaining time at which the warnings start. @default "1m" */
    readonly within?: Duration;
    /** Minimum time between two warnings. @default "20s" */
    readonly every?: Duration;
  } = {},
): FeedbackProvider {
  checkOptions("deadlineFeedback", options, ["within", "every"]);
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

/** Reminds the model of state that it should keep up to date and has not changed for a while. */
export function untouchedFeedback(options: {
  /** The slice that should change, such as the plan. */
  readonly slice: AnySliceToken;
  /** Number of tool calls without a change of the slice. @default 8 */
  readonly afterToolCalls?: number;
  /** The text for the model. */
  readonly text: string;
}): FeedbackProvider {
  checkOptions("untouchedFeedback", options, ["slice", "afterToolCalls", "text"]);
  requireMember("untouchedFeedback", options.slice, "reducers", "a slice");
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
    if (EndToolCall.is(event) && didRun(event.payload.status)) calls++;
  }
  return calls;
}
