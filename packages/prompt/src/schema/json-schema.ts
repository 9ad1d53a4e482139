import { PromptError } from "../error/prompt-error.js";
import { checkJson } from "./check-json.js";
import type { JsonSchema, ModelSchema } from "./schema.js";

/**
 * Makes a schema from a JSON Schema, for example from another program.
 *
 * It validates types, fields, items, choices, lengths, bounds and local references. It does not
 * fill in defaults. `pattern` and `format` are sent to the model but not validated, because an
 * untrusted regular expression can block the process.
 */
export function jsonSchema<Value = Readonly<Record<string, unknown>>>(
  schema: JsonSchema,
): ModelSchema<Value> {
  if (typeof schema !== "object" || schema === null)
    throw new PromptError("SCHEMA_UNSUPPORTED", "jsonSchema()", "a JSON Schema must be an object");
  const write = () => structuredClone(schema);
  return Object.freeze({
    "~standard": Object.freeze({
      version: 1 as const,
      vendor: "wink",
      jsonSchema: Object.freeze({ input: write, output: write }),
      validate: (value: unknown) => {
        const issues = checkJson(schema, value);
        // The caller declares the type that the schema describes; it cannot be inferred.
        return issues.length > 0 ? { issues } : { value: value as Value };
      },
    }),
  });
}
