import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import type { JsonSchema } from "@wink/prompt";
import { isSeen } from "./clean-text.js";

/**
 * Whether a schema of a foreign server is valid: its references resolve, its keywords have valid
 * values, and its field names have no invisible characters.
 *
 * With an invalid schema, a provider refuses the whole request and an MCP client the whole list.
 */
export function isUsableSchema(schema: JsonSchema): boolean {
  try {
    new AjvJsonSchemaValidator().getValidator(withoutNotations(schema));
    return true;
  } catch {
    return false;
  }
}

/**
 * Removes `pattern` and `format`, which may be written for another language. Throws if a name
 * contains invisible characters.
 */
function withoutNotations(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (name, value: unknown) => {
    if (!isSeen(name)) throw new Error("a field name contains invisible characters");
    const isNotation = (name === "pattern" || name === "format") && typeof value === "string";
    return isNotation ? undefined : value;
  });
}
