import { jsonSchema } from "@wink/prompt";
import { defineEvent } from "@wink/session";

/** The state of a run's files that no call made: at the start, or after changes from outside. */
export const StateKept = defineEvent(
  "run.keep-state",
  jsonSchema<{ readonly snapshot: string; readonly reason: string }>({
    type: "object",
    properties: { snapshot: { type: "string" }, reason: { type: "string" } },
    required: ["snapshot", "reason"],
    additionalProperties: false,
  }),
);
