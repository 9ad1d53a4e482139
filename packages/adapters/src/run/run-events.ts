import { jsonSchema } from "@wink/prompt";
import { defineEvent } from "@wink/session";

/** Another process has taken over the run. Everything after this event is its work. */
export const RunTakenOver = defineEvent(
  "run.take-over",
  jsonSchema<{ readonly process: number; readonly host: string; readonly worker?: string }>({
    type: "object",
    properties: {
      process: { type: "integer" },
      host: { type: "string" },
      worker: { type: "string" },
    },
    required: ["process", "host"],
    additionalProperties: false,
  }),
);

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
