import { jsonSchema } from "@wink/prompt";
import { defineEvent } from "@wink/session";

const text = { type: "string" } as const;
const amount = { type: "number", minimum: 0 } as const;

/** The schema of an event of a run with these fields, and with the number of the run. */
function fields<const Fields extends Readonly<Record<string, typeof text | typeof amount>>>(
  properties: Fields,
) {
  return jsonSchema<
    {
      readonly [Name in keyof Fields]: Fields[Name] extends typeof text ? string : number;
    } & {
      /** Which evaluation of the session, from 1. Missing in logs of earlier versions. */
      readonly run?: number;
    }
  >({
    type: "object",
    properties: { ...properties, run: amount },
    required: Object.keys(properties),
    additionalProperties: false,
  });
}

/** The prompt was rendered for a turn of the model. */
export const PromptRendered = defineEvent(
  "run.render-prompt",
  fields({ prompt: text, turn: amount, characters: amount, tools: amount }),
);

/** A request to the model failed and will be retried. `reason` is the code of the error. */
export const ModelRetried = defineEvent(
  "run.retry-model",
  fields({ turn: amount, attempt: amount, reason: text, delayMs: amount }),
);

/**
 * The conversation was shortened before a request. `summary` is the part of the transcript with the summary that the
 * model wrote, or empty if only results were cleared.
 */
export const ContextCompacted = defineEvent(
  "run.compact-context",
  fields({ turn: amount, summary: text, tokensBefore: amount, tokensAfter: amount }),
);

/** A limit of the budget is used up. */
export const BudgetExhausted = defineEvent(
  "run.exhaust-budget",
  fields({ turn: amount, what: text }),
);

/** The run of a prompt has ended. `finishReason` is a `FinishReason`, `failed` or `aborted`. */
export const PromptExecuted = defineEvent(
  "run.execute-prompt",
  fields({
    prompt: text,
    finishReason: text,
    turns: amount,
    toolCalls: amount,
    inputTokens: amount,
    outputTokens: amount,
  }),
);
