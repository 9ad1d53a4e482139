import { PromptError } from "../error/prompt-error.js";
import { checkJson } from "./check-json.js";
import type { JsonSchema, ModelSchema } from "./schema.js";

/**
 * Makes a schema of a JSON Schema, such as one that came from another program.
 *
 * Checked are types, fields, items, choices, lengths, bounds and references within
 * the schema; defaults are not filled in. `pattern` and `format` are shown to the model and not checked: a
 * regular expression from elsewhere can stop the process.
 */
export function jsonSchema<Value = Readonly<Record<string, unknown>>>(
  schema: JsonSchema,
): ModelSchema<Value> {
  if (typeof schema !== "object" || schema === null)
    throw new PromptError("schema_unsupported", {
      subject: "jsonSchema()",
      reason: "it takes a JSON Schema as an object",
    });
  const write = () => structuredClone(schema);
  return Object.freeze({
    "~standard": Object.freeze({
      version: 1 as const,
      vendor: "wink",
      jsonSchema: Object.freeze({ input: write, output: write }),
      validate: (value: unknown) => {
        const issues = checkJson(schema, value);
        // The caller names the type that the schema describes; nothing else can know it.
        return issues.length > 0 ? { issues } : { value: value as Value };
      },
    }),
  });
}
