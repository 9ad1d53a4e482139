import type { JsonSchema } from "@wink/prompt";

/**
 * The JSON Schema keywords that a provider can enforce. Other keywords make it refuse the
 * request.
 */
export interface StrictDialect {
  readonly keywords: ReadonlySet<string>;
  /** Whether an object must require all of its properties. */
  readonly requiresAll: boolean;
}

const SHARED = ["type", "title", "description", "properties", "required", "additionalProperties"];
const SHARED_TOO = ["items", "anyOf", "enum", "const"];

export const OPENAI_STRICT: StrictDialect = {
  keywords: new Set([
    ...[...SHARED, ...SHARED_TOO, "$ref", "$defs", "minItems", "maxItems", "minimum", "maximum"],
    ...["exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  ]),
  requiresAll: true,
};

export const ANTHROPIC_STRICT: StrictDialect = {
  keywords: new Set([...SHARED, ...SHARED_TOO, "default"]),
  requiresAll: false,
};

/** Whether a provider can enforce the schema: a closed object that uses only supported keywords. */
export function fitsStrict(schema: JsonSchema, dialect: StrictDialect): boolean {
  return schema["type"] === "object" && fits(schema, dialect);
}

function fits(schema: unknown, dialect: StrictDialect): boolean {
  if (!isRecord(schema)) return false;
  if (!Object.keys(schema).every((keyword) => dialect.keywords.has(keyword))) return false;
  if (!isHeld(schema, dialect)) return false;
  const { items, anyOf = [] } = schema as { items?: unknown; anyOf?: readonly unknown[] };
  const inner = [
    ...(items === undefined ? [] : [items]),
    ...anyOf,
    ...valuesOf(schema["properties"]),
    ...valuesOf(schema["$defs"]),
  ];
  return inner.every((each) => fits(each, dialect));
}

const HOLDS = ["type", "anyOf", "$ref"];

/** Whether the schema, without its subschemas, is fully constrained. */
function isHeld(schema: JsonSchema, dialect: StrictDialect): boolean {
  // A schema with only a description allows everything.
  if (!HOLDS.some((keyword) => Object.hasOwn(schema, keyword))) return false;
  if (Object.hasOwn(schema, "$ref")) return Object.keys(schema).length === 1;
  const types = [schema["type"]].flat();
  if (types.includes("object") && !isClosed(schema, dialect)) return false;
  if (types.includes("array") && !Object.hasOwn(schema, "items")) return false;
  return [schema["enum"], schema["const"]].flat().every((value) => !isRecord(value));
}

function isClosed(schema: JsonSchema, { requiresAll }: StrictDialect): boolean {
  if (schema["additionalProperties"] !== false || !isRecord(schema["properties"])) return false;
  if (!requiresAll) return true;
  const { required } = schema as { required?: unknown };
  const names = Object.keys(schema["properties"]);
  return Array.isArray(required) && names.every((name) => required.includes(name));
}

function valuesOf(value: unknown): readonly unknown[] {
  return isRecord(value) ? Object.values(value) : [];
}

function isRecord(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
