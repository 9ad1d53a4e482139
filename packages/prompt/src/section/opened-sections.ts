import { defineEvent, defineState } from "@wink/session";
import { jsonSchema } from "../schema/json-schema.js";

/** The model opened sections. */
export const OpenSections = defineEvent(
  "prompt.open-sections",
  jsonSchema<{
    /** The prompt as `ns/key`. */
    readonly prompt: string;
    readonly sections: readonly string[];
    readonly reason: string;
  }>({
    type: "object",
    properties: {
      prompt: { type: "string" },
      sections: { type: "array", items: { type: "string" } },
      reason: { type: "string" },
    },
    required: ["prompt", "sections", "reason"],
    additionalProperties: false,
  }),
);

/** The opened sections, by prompt. */
export const OpenedSections = defineState({
  name: "prompt.opened-sections",
  schema: jsonSchema<Readonly<Record<string, readonly string[]>>>({
    type: "object",
    additionalProperties: { type: "array", items: { type: "string" } },
  }),
  initial: {},
  reducers: (on) => [
    on(OpenSections, (opened, { prompt, sections }) => ({
      ...opened,
      [prompt]: [...new Set([...(opened[prompt] ?? []), ...sections])],
    })),
  ],
});
