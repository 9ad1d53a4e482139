import { defineEvent, defineState } from "@wink/session";
import { jsonSchema } from "../schema/json-schema.js";

/** A tool of a `sequential` policy succeeded for the first time. */
export const CompleteStep = defineEvent(
  "prompt.complete-step",
  jsonSchema<{ readonly prompt: string; readonly tool: string }>({
    type: "object",
    properties: { prompt: { type: "string" }, tool: { type: "string" } },
    required: ["prompt", "tool"],
    additionalProperties: false,
  }),
);

/** The tools of `sequential` policies that have succeeded, by prompt. */
export const CompletedSteps = defineState({
  name: "prompt.completed-steps",
  schema: jsonSchema<Readonly<Record<string, readonly string[]>>>({
    type: "object",
    additionalProperties: { type: "array", items: { type: "string" } },
  }),
  initial: {},
  reducers: (on) => [
    on(CompleteStep, (done, { prompt, tool }) => ({
      ...done,
      [prompt]: [...(done[prompt] ?? []).filter((name) => name !== tool), tool],
    })),
  ],
});
