import type { Feedback, RenderedPrompt } from "@wink/prompt";
import { collectFeedback } from "@wink/prompt/adapter";
import { reportError } from "../context/report-error.js";
import type { PromptRunOptions } from "./prompt-run-options.js";

/** The feedback after the calls of a turn. An error of a provider goes to `onError`. */
export function feedbackFor<Output>(
  { options, onError }: PromptRunOptions<Output>,
  rendered: RenderedPrompt<Output>,
  since: number | undefined,
): Promise<readonly Feedback[]> {
  const { session, deadline } = options;
  return collectFeedback({
    ...{ rendered, session, deadline, since },
    onError: (error, provider) => reportError(onError, error, `feedback ${provider}`),
  });
}
