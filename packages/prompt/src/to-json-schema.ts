import type { StandardJSONSchemaV1 } from "@standard-schema/spec";
import { PromptError } from "./prompt-error.js";
import type { JsonSchema, Schema } from "./schema.js";

/**
 * The JSON Schema of what a model must send, closed to fields it does not name.
 *
 * A schema that turns its input into something else is refused: the model is
 * told of the input, examples and policies see the output, and the two must be one.
 */
export function modelInputSchema(schema: Schema, subject: string): JsonSchema {
  const written = tighten(convert(schema, "input", subject));
  convert(schema, "output", subject, "it changes the type of its input; do that in the handler");
  if (written["type"] !== "object")
    throw unsupported(subject, "a tool takes an object, so that its fields have names");
  return written;
}

/** The JSON Schema of a value that a model must produce. */
export function modelOutputSchema(schema: Schema, subject: string): JsonSchema {
  return tighten(convert(schema, "input", subject));
}

/** The names of a schema's fields, or `undefined` when it does not tell. */
export function fieldNames(schema: Schema): readonly string[] | undefined {
  const { jsonSchema } = converterOf(schema);
  for (const side of ["output", "input"] as const) {
    try {
      // Parameters may be of any type; only their names are wanted here.
      const written = jsonSchema?.[side]({ target, libraryOptions: { unrepresentable: "any" } });
      if (isRecord(written?.["properties"])) return Object.keys(written["properties"]);
    } catch {
      // A side that cannot be written says nothing; the other one may.
    }
  }
  return undefined;
}

const target = "draft-2020-12";

function convert(
  schema: Schema,
  side: "input" | "output",
  subject: string,
  reason = "it cannot be written as JSON Schema",
): JsonSchema {
  const { jsonSchema, vendor } = converterOf(schema);
  if (jsonSchema === undefined)
    throw unsupported(
      subject,
      `a schema of '${vendor}' does not offer JSON Schema; use zod 4.2 or newer, a library with Standard JSON Schema, or jsonSchema()`,
    );
  try {
    return jsonSchema[side]({ target });
  } catch (cause) {
    throw unsupported(subject, reason, cause);
  }
}

interface Standard {
  readonly vendor: string;
  readonly jsonSchema?: StandardJSONSchemaV1.Converter | undefined;
}

function converterOf(schema: Schema): Standard {
  // Whether a schema has the JSON half is known only by looking.
  return schema["~standard"] as Standard;
}

function unsupported(subject: string, reason: string, cause?: unknown): PromptError {
  return new PromptError("schema_unsupported", { subject, reason, cause });
}

/** Closes every object that lists its properties, and drops what only costs tokens. */
function tighten(schema: JsonSchema): JsonSchema {
  const { $schema: _, ...rest } = schema;
  return Object.freeze(tightenNode(rest) as Record<string, unknown>);
}

function tightenNode(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(tightenNode);
  if (!isRecord(node)) return node;
  const tightened: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(node)) {
    // The bounds that every integer of JavaScript has tell a model nothing.
    if (keyword === "minimum" && value === Number.MIN_SAFE_INTEGER) continue;
    if (keyword === "maximum" && value === Number.MAX_SAFE_INTEGER) continue;
    tightened[keyword] = PLAIN_KEYWORDS.has(keyword) ? value : tightenNode(value);
  }
  const closes = isRecord(node["properties"]) && node["additionalProperties"] === undefined;
  return closes ? { ...tightened, additionalProperties: false } : tightened;
}

/** Keywords whose value is data and not schemas. */
const PLAIN_KEYWORDS = new Set(["default", "const", "enum", "examples", "required"]);

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
