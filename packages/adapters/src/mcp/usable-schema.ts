import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import type { JsonSchema } from "@wink/prompt";
import { isSeen } from "./clean-text.js";

/**
 * Whether a schema of a foreign server can be handed on: its references lead somewhere, its
 * keywords have values that they can have, and the names of its fields are seen as they are.
 *
 * A provider that is sent another refuses the whole request, and an MCP client the whole list.
 */
export function isUsableSchema(schema: JsonSchema): boolean {
  try {
    new AjvJsonSchemaValidator().getValidator(withoutNotations(schema));
    return true;
  } catch {
    return false;
  }
}

/** Without `pattern` and `format`, which may be written for another language; throws for a name with something unseen in it. */
function withoutNotations(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (name, value: unknown) => {
    if (!isSeen(name)) throw new Error("a name that is not what it looks like");
    const isNotation = (name === "pattern" || name === "format") && typeof value === "string";
    return isNotation ? undefined : value;
  });
}
