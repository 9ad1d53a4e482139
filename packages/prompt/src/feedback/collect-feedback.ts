import type { Session } from "@wink/session";
import type { Deadline } from "../budget/deadline.js";
import { requireMember } from "../error/check-options.js";
import type { Feedback, FeedbackMoment } from "../protocol/feedback.js";
import type { RenderedPrompt } from "../protocol/rendered-prompt.js";
import { requireSession } from "../tool/blank-session.js";
import { ToolCalls } from "../tool/tool-calls.js";
import { FeedbackGiven, GiveFeedback } from "./feedback-given.js";

/** Collects the feedback for the model. Adapters call it after the tool calls of a turn. */
export async function collectFeedback(options: {
  readonly rendered: RenderedPrompt;
  readonly session: Session;
  /** @default none */
  readonly deadline?: Deadline | undefined;
  /**
   * Feedback that was given after this event of the session is returned and not given again: the process that gave it
   * ended before the model read it. @default none
   */
  readonly since?: number | undefined;
  /** Milliseconds since 1970. @default Date.now */
  readonly clock?: () => number;
  /** Called when a provider throws. The other providers still run. @default errors are ignored */
  readonly onError?: (error: unknown, provider: string) => void;
}): Promise<readonly Feedback[]> {
  requireMember("collectFeedback", options?.rendered, "feedback", "the result of prompt.render()");
  requireSession(options.session, "collectFeedback");
  const { rendered, session, deadline, since, clock = Date.now, onError } = options;
  const prompt = `${rendered.prompt.ns}/${rendered.prompt.key}`;
  const toolCalls = session.state(ToolCalls)[prompt]?.count ?? 0;
  const earlier = since === undefined ? [] : givenSince(session, prompt, since);
  const collected: Feedback[] = [...earlier];
  const names = new Set(earlier.map(({ provider }) => provider));
  for (const provider of rendered.feedback) {
    if (names.has(provider.name)) continue;
    const last = session
      .slice(FeedbackGiven)
      .where((given) => given.prompt === prompt && given.provider === provider.name)[0];
    const atMs = clock();
    const moment: FeedbackMoment = Object.freeze({
      session,
      deadline,
      toolCalls,
      toolCallsSince: toolCalls - (last?.toolCalls ?? 0),
      msSince: last && atMs - last.atMs,
    });
    try {
      const text = provider.trigger(moment) ? await provider.provide(moment) : undefined;
      if (text === undefined || text === "") continue;
      session.dispatch(GiveFeedback({ prompt, provider: provider.name, text, toolCalls, atMs }));
      collected.push(Object.freeze({ provider: provider.name, text }));
    } catch (error) {
      onError?.(error, provider.name);
    }
  }
  return collected;
}

function givenSince({ events }: Session, prompt: string, since: number): readonly Feedback[] {
  const given: Feedback[] = [];
  for (let at = events.length - 1; at >= 0; at--) {
    const event = events.at(at);
    if (event === undefined || event.sequence <= since) break;
    if (!GiveFeedback.is(event) || event.payload.prompt !== prompt) continue;
    const { provider, text } = event.payload;
    given.unshift(Object.freeze({ provider, text }));
  }
  return given;
}
