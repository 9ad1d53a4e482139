import { type Schema as CheckedSchema, Validator } from "@cfworker/json-schema";
import { isSafePattern } from "./safe-pattern.js";
import type { JsonSchema } from "./schema.js";

interface JsonIssue {
  readonly message: string;
  readonly path: readonly (string | number)[];
}

/** Deeper values could overflow the stack of the validator. */
const MAX_DEPTH = 200;
/** A schema that refers to itself twice would take exponential time. */
const MAX_STEPS = 500_000;

/** Returns a function that validates values against a JSON Schema, draft 2020-12. The schema may be hostile. */
export function jsonChecker(schema: JsonSchema): (value: unknown) => readonly JsonIssue[] {
  const steps = { left: MAX_STEPS };
  const guarded = guard(schema, steps);
  let validator: Validator | undefined;
  return (value) => {
    if (isDeeperThan(value, MAX_DEPTH)) return [{ path: [], message: "nested too deeply" }];
    steps.left = MAX_STEPS;
    try {
      // `false`: report every problem, not only the first.
      validator ??= new Validator(guarded as CheckedSchema, "2020-12", false);
      const { valid, errors } = validator.validate(value);
      if (valid) return [];
      const issues = errors
        .filter(({ keyword }) => !CONTAINERS.has(keyword))
        .map(({ instanceLocation, keyword, error }) => toIssue(instanceLocation, keyword, error));
      return issues.length > 0 ? issues : [{ path: [], message: "does not match the schema" }];
    } catch (error) {
      // A reference to itself overflows the stack, and an unknown reference is an error of the validator.
      const message = error instanceof RangeError ? "too much to check" : describe(error);
      return [{ path: [], message }];
    }
  };
}

/** Keywords whose errors only repeat that a part does not match. */
const CONTAINERS = new Set([
  ...["properties", "patternProperties", "additionalProperties", "items", "prefixItems", "$ref"],
  ...["allOf", "unevaluatedProperties", "unevaluatedItems", "dependentSchemas"],
]);

function toIssue(location: string, keyword: string, error: string): JsonIssue {
  const path = location
    .split("/")
    .slice(1)
    .map((part) => decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
  if (keyword === "false") return { path, message: "unknown field" };
  const missing = keyword === "required" ? /"(.*)"\.$/.exec(error)?.[1] : undefined;
  if (missing !== undefined) return { path: [...path, missing], message: "required" };
  const message = error.replace(/\.$/, "");
  if (keyword !== "type") return { path, message };
  return { path, message: message.replace(/^.*Expected /, "must be ").replaceAll('"', "") };
}

function describe(error: unknown): string {
  return error instanceof Error
    ? error.message.slice(0, 200).replace(/\.[\s\S]*$/, "")
    : "not checked";
}

const DATA = new Set(["const", "enum", "default", "examples", "required", "type"]);
const NAMED = new Set([
  ...[
    "properties",
    "patternProperties",
    "$defs",
    "definitions",
    "dependentSchemas",
    "dependencies",
  ],
]);

/**
 * A copy of the schema that counts the steps of the validator, without the patterns that could block the process. Those are
 * not checked. Maps of schemas are copied with `isMap`, because their keys are names and not keywords.
 */
function guard(schema: unknown, steps: { left: number }, isMap = false): unknown {
  if (Array.isArray(schema)) return schema.map((each) => guard(each, steps));
  if (typeof schema !== "object" || schema === null) return schema;
  const copy: Record<string, unknown> = {};
  let hasUnsafeNames = false;
  for (const [keyword, value] of Object.entries(schema)) {
    if (!isMap && keyword === "pattern" && !isSafePattern(value)) continue;
    if (!isMap && DATA.has(keyword)) copy[keyword] = value;
    else if (!isMap && keyword === "patternProperties" && hasUnsafe(value)) hasUnsafeNames = true;
    else define(copy, keyword, guard(value, steps, !isMap && NAMED.has(keyword)));
  }
  if (isMap) return copy;
  // Without its patterns, an object cannot tell which of its fields are additional.
  if (hasUnsafeNames) delete copy["additionalProperties"];
  const { type } = copy;
  const count = () => {
    if (--steps.left < 0) throw new RangeError("too many steps");
    return type;
  };
  // The validator reads `type` once for each value and schema.
  Object.defineProperty(copy, "type", { get: count, enumerable: true });
  return copy;
}

/** An assignment to `__proto__` would not add a property. */
function define(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}

function hasUnsafe(patterns: unknown): boolean {
  return (
    typeof patterns === "object" &&
    patterns !== null &&
    !Object.keys(patterns).every((pattern) => isSafePattern(pattern))
  );
}

function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (depth === 0) return true;
  return Object.values(value).some((each) => isDeeperThan(each, depth - 1));
}
