import { type Schema as CheckedSchema, Validator } from "@cfworker/json-schema";
import { PromptError } from "../error/prompt-error.js";
import { resolveReferences } from "./resolve-references.js";
import { patternSteps } from "./safe-pattern.js";
import type { JsonSchema } from "./schema.js";

interface JsonIssue {
  readonly message: string;
  readonly path: readonly (string | number)[];
}

/** Deeper values and schemas could overflow the stack. */
const MAX_DEPTH = 200;
/** A schema that refers to itself twice would take exponential time. */
const MAX_STEPS = 500_000;
/** The step limit for patterns and for comparing items. V8 runs this many steps in about a second. */
const MAX_PATTERN_STEPS = 100_000_000;

/** The remaining limits for the current value. */
interface Limits {
  steps: number;
  patternSteps: number;
  /** The length of the longest text or key in the value. */
  longestText: number;
  longestArray: number;
}

/** Returns a function that validates values against a JSON Schema, draft 2020-12. The schema may be hostile. */
export function jsonChecker(schema: JsonSchema): (value: unknown) => readonly JsonIssue[] {
  if (isDeeperThan(schema, MAX_DEPTH))
    throw new PromptError(
      "SCHEMA_UNSUPPORTED",
      "jsonSchema()",
      `the schema is nested deeper than ${MAX_DEPTH} levels`,
    );
  const limits: Limits = { steps: 0, patternSteps: 0, longestText: 0, longestArray: 0 };
  const guarded = guard(resolveReferences(schema), limits);
  let validator: Validator | undefined;
  return (value) => {
    if (isDeeperThan(value, MAX_DEPTH)) return [{ path: [], message: "nested too deeply" }];
    limits.steps = MAX_STEPS;
    limits.patternSteps = MAX_PATTERN_STEPS;
    limits.longestText = 0;
    limits.longestArray = 0;
    measure(value, limits);
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
    ? error.message.slice(0, 200).replace(/\.\s[\s\S]*$/, "")
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
 * A copy of the schema that counts the steps of the validator. Patterns that could block the process are not checked. Maps
 * of schemas are copied with `isMap`, because their keys are names and not keywords.
 */
function guard(schema: unknown, limits: Limits, isMap = false): unknown {
  if (Array.isArray(schema)) return schema.map((each) => guard(each, limits));
  if (typeof schema !== "object" || schema === null) return schema;
  const copy: Record<string, unknown> = {};
  // Formats are left out: the validator's regular expressions for them could run for a long time on a text from a
  // model.
  for (const [keyword, value] of Object.entries(schema))
    if (!isMap && keyword === "format") continue;
    else if (!isMap && DATA.has(keyword)) copy[keyword] = value;
    else define(copy, keyword, guard(value, limits, !isMap && NAMED.has(keyword)));
  return isMap ? copy : countSteps(copy, limits);
}

/** The validator reads each keyword once for each value, so the getters see every step before it is made. */
function countSteps(copy: Record<string, unknown>, limits: Limits): object {
  const { type, pattern, uniqueItems, patternProperties } = copy;
  const { additionalProperties, unevaluatedProperties } = copy;
  const names = isRecord(patternProperties) ? Object.keys(patternProperties) : [];
  const get = (keyword: string, read: () => unknown) => {
    Object.defineProperty(copy, keyword, { get: read, enumerable: true });
  };
  get("type", () => {
    if (--limits.steps < 0) throw new RangeError("too many steps");
    return type;
  });
  if (pattern !== undefined)
    get("pattern", () => (canRun([pattern], limits) ? pattern : undefined));
  // Counts the comparisons, because the validator compares each item with every other item.
  if (uniqueItems === true) get("uniqueItems", () => take(10 * limits.longestArray ** 2, limits));
  if (names.length === 0) return copy;
  // Without its patterns, an object cannot tell which of its fields are additional.
  let isChecked = true;
  get("patternProperties", () => {
    isChecked = canRun(names, limits);
    return isChecked ? patternProperties : undefined;
  });
  const other = { additionalProperties, unevaluatedProperties };
  for (const [keyword, value] of Object.entries(other))
    if (value !== undefined) get(keyword, () => (isChecked ? value : undefined));
  return copy;
}

/** Whether the patterns can run on the longest text within the limit. Subtracts their steps from the limit. */
function canRun(patterns: readonly unknown[], limits: Limits): boolean {
  let sum = 0;
  for (const pattern of patterns)
    sum += patternSteps(pattern, limits.longestText) ?? Number.POSITIVE_INFINITY;
  return take(sum, limits);
}

function take(steps: number, limits: Limits): boolean {
  if (steps > limits.patternSteps) return false;
  limits.patternSteps -= steps;
  return true;
}

function measure(value: unknown, limits: Limits): void {
  if (typeof value === "string") limits.longestText = Math.max(limits.longestText, value.length);
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) limits.longestArray = Math.max(limits.longestArray, value.length);
  for (const [key, each] of Object.entries(value)) {
    limits.longestText = Math.max(limits.longestText, key.length);
    measure(each, limits);
  }
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

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (depth === 0) return true;
  return Object.values(value).some((each) => isDeeperThan(each, depth - 1));
}
