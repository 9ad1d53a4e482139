import type { AnswerFacts } from "@wink/prompt";
import type { ModelTurn } from "./model-client.js";

/** What the provider reported about the answer, for the end of its turn. */
export function answerFacts({ responseId, model, sources, warnings }: ModelTurn): {
  readonly answer?: AnswerFacts;
} {
  const reported = Object.entries({ responseId, model, sources, warnings }).filter(
    ([, value]) => value !== undefined,
  );
  return reported.length === 0 ? {} : { answer: Object.fromEntries(reported) };
}
