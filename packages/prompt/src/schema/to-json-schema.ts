import type { StandardJSONSchemaV1 } from "@standard-schema/spec";
import { PromptError } from "../error/prompt-error.js";
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
  return Object.freeze(tightenSchema(rest, true));
}

function tightenSchema(schema: JsonSchema, closes: boolean): JsonSchema {
  const tightened: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    // The bounds that every integer of JavaScript has tell a model nothing.
    if (keyword === "minimum" && value === Number.MIN_SAFE_INTEGER) continue;
    if (keyword === "maximum" && value === Number.MAX_SAFE_INTEGER) continue;
    tightened[keyword] = tightenKeyword(keyword, value);
  }
  const isOpen = isRecord(schema["properties"]) && schema["additionalProperties"] === undefined;
  return closes && isOpen ? { ...tightened, additionalProperties: false } : tightened;
}

const HOLDS_SCHEMA = new Set(["items", "additionalProperties", "not", "contains"]);
const HOLDS_SCHEMAS = new Set(["anyOf", "oneOf", "prefixItems"]);
const HOLDS_NAMED_SCHEMAS = new Set(["properties", "patternProperties", "$defs", "definitions"]);

/** Goes where schemas are, and leaves data such as defaults alone. */
function tightenKeyword(keyword: string, value: unknown): unknown {
  const inner = (each: unknown) => (isRecord(each) ? tightenSchema(each, true) : each);
  if (HOLDS_SCHEMA.has(keyword)) return inner(value);
  if (HOLDS_SCHEMAS.has(keyword) && Array.isArray(value)) return value.map(inner);
  // The parts of an intersection describe one object, and none of them all of it.
  if (keyword === "allOf" && Array.isArray(value))
    return value.map((each) => (isRecord(each) ? tightenSchema(each, false) : each));
  if (HOLDS_NAMED_SCHEMAS.has(keyword) && isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inner(each)]));
  return value;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
