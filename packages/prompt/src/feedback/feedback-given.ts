import { defineEvent, defineSlice } from "@wink/session";
import { jsonSchema } from "../schema/json-schema.js";

/** What a provider said last, and when. */
export interface GivenFeedback {
  readonly prompt: string;
  readonly provider: string;
  readonly text: string;
  /** Calls in the prompt by then. */
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

/** The model was told something. */
export const GiveFeedback = defineEvent("prompt.give-feedback", schema);

/** The last word of each provider in each prompt. */
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
