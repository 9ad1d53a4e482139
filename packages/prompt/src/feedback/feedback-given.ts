import { defineEvent, defineSlice } from "@wink/session";
import { jsonSchema } from "../schema/json-schema.js";

/** The last feedback of a provider, and its time. */
export interface GivenFeedback {
  readonly prompt: string;
  readonly provider: string;
  readonly text: string;
  /** Number of tool calls in the prompt at that time. */
  readonly toolCalls: number;
  readonly atMs: number;
}

const schema = jsonSchema<GivenFeedback>({
  type: "object",
  properties: {
    prompt: { type: "string" },
    provider: { type: "string" },
    text: { type: "string" },
    toolCalls: { type: "integer", minimum: 0 },
    atMs: { type: "number" },
  },
  required: ["prompt", "provider", "text", "toolCalls", "atMs"],
  additionalProperties: false,
});

/** The model received feedback. */
export const GiveFeedback = defineEvent("prompt.give-feedback", schema);

/** The last feedback of each provider in each prompt. */
export const FeedbackGiven = defineSlice({
  name: "prompt.feedback-given",
  schema,
  reducers: (on) => [
    on(GiveFeedback, (given, latest) => [
      ...given.filter(
        ({ prompt, provider }) => prompt !== latest.prompt || provider !== latest.provider,
      ),
      latest,
    ]),
  ],
});
