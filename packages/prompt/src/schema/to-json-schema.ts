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
  const written = tighten(convert(schema, "input", subject, "input"));
  convert(schema, "output", subject, "input", "changes its type. Convert it in the handler");
  if (written["type"] !== "object")
    throw new PromptError("SCHEMA_UNSUPPORTED", subject, "input must be a schema of an object");
  return written;
}

/** Returns the JSON Schema of a value that the model must produce. */
export function modelOutputSchema(schema: Schema, subject: string): JsonSchema {
  return tighten(convert(schema, "input", subject, "output"));
}

/** Returns the field names of a schema, or `undefined` if the schema does not expose them. */
export function fieldNames(schema: Schema): readonly string[] | undefined {
  const { jsonSchema } = converterOf(schema) ?? {};
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
  part: string,
  problem = "has no JSON Schema form. Use a string, a number, a boolean, an array or an object",
): JsonSchema {
  const { jsonSchema, vendor = "no library" } = converterOf(schema) ?? {};
  const refuse = (reason: string, cause?: unknown) =>
    new PromptError("SCHEMA_UNSUPPORTED", subject, reason, cause);
  if (jsonSchema === undefined)
    throw refuse(
      `${part}: a schema of '${vendor}' has no JSON Schema form. Use zod 4.2 or newer, a library with Standard JSON Schema, or jsonSchema()`,
    );
  try {
    return jsonSchema[side]({ target });
  } catch (cause) {
    throw refuse(`${part}${findUnsupported(jsonSchema, side)} ${problem}`, cause);
  }
}

/** The field that has no JSON Schema form, with its type, such as ` field 'steps[].due' (date)`. Empty if it is not known. */
function findUnsupported(
  jsonSchema: StandardJSONSchemaV1.Converter,
  side: "input" | "output",
): string {
  let found = "";
  // zod calls `override` for each part. A part that it cannot represent is empty.
  const override = ({ zodSchema, jsonSchema: written, path = [] }: ZodPart) => {
    const type = zodSchema?._zod?.def?.type ?? "";
    if (found !== "" || Object.keys(written).length > 0 || ["any", "unknown"].includes(type))
      return;
    const place = path
      .map((key, index) =>
        key === "items" ? "[]" : path[index - 1] === "properties" ? `.${key}` : "",
      )
      .join("");
    if (place !== "") found = ` field '${place.replace(/^\./, "")}' (${type})`;
  };
  try {
    jsonSchema[side]({ target, libraryOptions: { unrepresentable: "any", override } });
  } catch {
    // Another library, or another problem: the message names no field.
  }
  return found;
}

interface ZodPart {
  readonly zodSchema?: { readonly _zod?: { readonly def?: { readonly type?: string } } };
  readonly jsonSchema: object;
  readonly path?: readonly (string | number)[];
}

interface Standard {
  readonly vendor: string;
  readonly jsonSchema?: StandardJSONSchemaV1.Converter | undefined;
}

function converterOf(schema: Schema): Standard | undefined {
  // Not every Standard Schema has the JSON Schema part, and JavaScript may pass no schema; callers check for both.
  return schema["~standard"] as Standard | undefined;
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
