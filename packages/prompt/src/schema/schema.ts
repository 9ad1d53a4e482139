import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import { requireMember, showValue } from "../error/check-options.js";

/** Any Standard Schema. */
export type Schema<Input = unknown, Output = Input> = StandardSchemaV1<Input, Output>;

/**
 * A Standard Schema that also has a JSON Schema form, which a model needs.
 *
 * Zod (from 4.2) and ArkType schemas have it, Valibot schemas through its adapter. `jsonSchema()`
 * makes one from a JSON Schema.
 */
export type ModelSchema<Input = unknown, Output = Input> = StandardSchemaV1<Input, Output> &
  StandardJSONSchemaV1<Input, Output>;

/** The type before validation: fields with defaults are optional. */
export type InputOf<S extends Schema> = StandardSchemaV1.InferInput<S>;

/** The type after validation: defaults are filled in. */
export type OutputOf<S extends Schema> = StandardSchemaV1.InferOutput<S>;

/** A JSON Schema as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A value that passed its schema, or the problems of one that did not. */
export type Checked<Value> =
  | { readonly value: Value; readonly issues?: undefined }
  | { readonly issues: readonly StandardSchemaV1.Issue[] };

/** Validates `value`. Returns `undefined` if the schema is asynchronous. */
export function checkNow<S extends Schema>(
  schema: S,
  value: unknown,
): Checked<OutputOf<S>> | undefined {
  const result = checkValue(schema, value);
  return result instanceof Promise ? undefined : result;
}

/** Validates `value`. Returns a promise only if the schema is asynchronous. */
export function checkValue<S extends Schema>(
  schema: S,
  value: unknown,
): Checked<OutputOf<S>> | Promise<Checked<OutputOf<S>>> {
  const result = schema["~standard"].validate(value);
  // By the Standard Schema contract, a result without issues has the output type. The schema may return a foreign
  // thenable.
  const checked = "then" in result ? Promise.resolve(result) : result;
  return checked as Checked<OutputOf<S>> | Promise<Checked<OutputOf<S>>>;
}

/** The place of a problem, such as `steps[3].title`; empty for the whole value. */
export function issuePath(issue: StandardSchemaV1.Issue): string {
  return keysOf(issue).reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`;
    return text === "" ? String(key) : `${text}.${String(key)}`;
  }, "");
}

/** Whether `value` does not have the field that the problem is about. */
export function isMissing(issue: StandardSchemaV1.Issue, value: unknown): boolean {
  return keysOf(issue).length > 0 && valueAt(issue, value) === undefined;
}

/**
 * Describes a problem of `value` for people, such as `field 'findings[0].line' must be a number, got "12"`. `word` is
 * what a part of the value is called.
 */
export function describeIssue(
  issue: StandardSchemaV1.Issue,
  value: unknown,
  word = "field",
): string {
  requireMember("describeIssue", issue, "message", "an issue of a schema");
  const path = issuePath(issue);
  const place = path === "" ? "it" : `${word} '${path}'`;
  if (isMissing(issue, value)) return `missing ${place}`;
  // zod, Valibot and ArkType report what they expected.
  const expected: unknown = "expected" in issue ? issue.expected : undefined;
  if (typeof expected !== "string") return `${place}: ${issue.message}`;
  const article = /^(an? |null|undefined|true|false|["'\d])/.test(expected)
    ? ""
    : /^[aeiou]/.test(expected)
      ? "an "
      : "a ";
  return `${place} must be ${article}${expected}, got ${showValue(valueAt(issue, value))}`;
}

function keysOf({ path = [] }: StandardSchemaV1.Issue): readonly PropertyKey[] {
  return path.map((segment) => (typeof segment === "object" ? segment.key : segment));
}

function valueAt(issue: StandardSchemaV1.Issue, value: unknown): unknown {
  let found = value;
  // Every object can be read by any key.
  for (const key of keysOf(issue))
    found = (found as Readonly<Record<PropertyKey, unknown>> | null | undefined)?.[key];
  return found;
}
