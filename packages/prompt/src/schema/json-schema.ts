import { PromptError } from "../error/prompt-error.js";
import { jsonChecker } from "./check-json.js";
import type { JsonSchema, ModelSchema } from "./schema.js";

/**
 * Makes a schema from a JSON Schema, for example from another program.
 *
 * It validates by draft 2020-12, with local references. It does not fill in defaults. `format`, and a
 * `pattern` that could block the process, are sent to the model but not validated.
 */
export function jsonSchema<Value = Readonly<Record<string, unknown>>>(
  schema: JsonSchema,
): ModelSchema<Value> {
  if (typeof schema !== "object" || schema === null)
    throw new PromptError("SCHEMA_UNSUPPORTED", "jsonSchema()", "a JSON Schema must be an object");
  const write = () => structuredClone(schema);
  const check = jsonChecker(schema);
  return Object.freeze({
    "~standard": Object.freeze({
      version: 1 as const,
      vendor: "wink",
      jsonSchema: Object.freeze({ input: write, output: write }),
      validate: (value: unknown) => {
        const issues = check(value);
        // The caller declares the type that the schema describes; it cannot be inferred.
        return issues.length > 0 ? { issues } : { value: value as Value };
      },
    }),
  });
}
