import type { StandardJSONSchemaV1 } from "@standard-schema/spec";
import { PromptError } from "../error/prompt-error.js";
import type { JsonSchema, Schema } from "./schema.js";

/**
 * Returns the JSON Schema of a tool's input, with `additionalProperties: false`.
 *
 * Refuses schemas that transform their input: the model sees the input type, but examples and
 * policies see the output type, so the two must be equal.
 */
export function modelInputSchema(schema: Schema, subject: string): JsonSchema {
  const written = tighten(convert(schema, "input", subject));
  convert(schema, "output", subject, "it changes the type of its input; do that in the handler");
  if (written["type"] !== "object")
    throw unsupported(subject, "the input of a tool must be an object");
  return written;
}

/** Returns the JSON Schema of a value that the model must produce. */
export function modelOutputSchema(schema: Schema, subject: string): JsonSchema {
  return tighten(convert(schema, "input", subject));
}

/** Returns the field names of a schema, or `undefined` if the schema does not expose them. */
export function fieldNames(schema: Schema): readonly string[] | undefined {
  const { jsonSchema } = converterOf(schema);
  for (const side of ["output", "input"] as const) {
    try {
      // Parameters may have any type; only their names are needed here.
      const written = jsonSchema?.[side]({ target, libraryOptions: { unrepresentable: "any" } });
      if (isRecord(written?.["properties"])) return Object.keys(written["properties"]);
    } catch {
      // If this side has no JSON form, try the other one.
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
      `a schema of '${vendor}' has no JSON Schema form; use zod 4.2 or newer, a library with Standard JSON Schema, or jsonSchema()`,
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
  // Not every Standard Schema has the JSON Schema part; callers check for it.
  return schema["~standard"] as Standard;
}

function unsupported(subject: string, reason: string, cause?: unknown): PromptError {
  return new PromptError("schema_unsupported", { subject, reason, cause });
}

/**
 * Adds `additionalProperties: false` to every object with properties, and removes keywords that
 * only cost tokens.
 */
function tighten(schema: JsonSchema): JsonSchema {
  const { $schema: _, ...rest } = schema;
  return Object.freeze(tightenSchema(rest, true));
}

function tightenSchema(schema: JsonSchema, closes: boolean): JsonSchema {
  const tightened: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    // The bounds of safe integers tell a model nothing.
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

/** Recurses only into keywords that contain schemas, not into data such as defaults. */
function tightenKeyword(keyword: string, value: unknown): unknown {
  const inner = (each: unknown) => (isRecord(each) ? tightenSchema(each, true) : each);
  if (HOLDS_SCHEMA.has(keyword)) return inner(value);
  if (HOLDS_SCHEMAS.has(keyword) && Array.isArray(value)) return value.map(inner);
  // Each part of an intersection describes only some fields of the object, so it must stay open.
  if (keyword === "allOf" && Array.isArray(value))
    return value.map((each) => (isRecord(each) ? tightenSchema(each, false) : each));
  if (HOLDS_NAMED_SCHEMAS.has(keyword) && isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inner(each)]));
  return value;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
