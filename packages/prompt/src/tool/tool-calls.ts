import { defineEvent, defineState } from "@wink/session";
import { jsonSchema } from "../schema/json-schema.js";

/** A tool was run and succeeded or failed. Denied calls are not recorded here. */
export const CallTool = defineEvent(
  "prompt.call-tool",
  jsonSchema<{ readonly prompt: string; readonly tool: string; readonly success: boolean }>({
    type: "object",
    properties: {
      prompt: { type: "string" },
      tool: { type: "string" },
      success: { type: "boolean" },
    },
    required: ["prompt", "tool", "success"],
    additionalProperties: false,
  }),
);

/** How many tools were run, by prompt. */
export const ToolCallCounts = defineState({
  name: "prompt.tool-call-counts",
  schema: jsonSchema<Readonly<Record<string, number>>>({
    type: "object",
    additionalProperties: { type: "integer", minimum: 0 },
  }),
  initial: {},
  reducers: (on) => [
    on(CallTool, (counts, { prompt }) => ({ ...counts, [prompt]: (counts[prompt] ?? 0) + 1 })),
  ],
});
