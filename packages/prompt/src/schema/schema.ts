import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";

/** Any Standard Schema: it checks a value and says what was wrong with it. */
export type Schema<Input = unknown, Output = Input> = StandardSchemaV1<Input, Output>;

/**
 * A Standard Schema that can also be written as JSON Schema, as a model needs it.
 *
 * Zod from 4.2 and ArkType are; Valibot is through its adapter; `jsonSchema()`
 * makes one of a JSON Schema.
 */
export type ModelSchema<Input = unknown, Output = Input> = StandardSchemaV1<Input, Output> &
  StandardJSONSchemaV1<Input, Output>;

/** What a caller gives: defaults may be left out. */
export type InputOf<S extends Schema> = StandardSchemaV1.InferInput<S>;

/** What comes out: defaults are filled in. */
export type OutputOf<S extends Schema> = StandardSchemaV1.InferOutput<S>;

/** A JSON Schema as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Where in a value something is wrong, and what. */
export interface Issue {
  /** Such as `steps[3].title`; empty for the whole value. */
  readonly path: string;
  readonly message: string;
}

export type Checked<Value> =
  | { readonly value: Value; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] };

/** Checks `value`, or answers `undefined` when the schema wants to wait. */
export function checkNow<S extends Schema>(
  schema: S,
  value: unknown,
): Checked<OutputOf<S>> | undefined {
  const result = schema["~standard"].validate(value);
  return result instanceof Promise ? undefined : toChecked<OutputOf<S>>(result);
}

/** Checks `value`, at once unless the schema wants to wait. */
export function checkValue<S extends Schema>(
  schema: S,
  value: unknown,
): Checked<OutputOf<S>> | Promise<Checked<OutputOf<S>>> {
  const result = schema["~standard"].validate(value);
  // A promise may be of another library's making.
  return "then" in result
    ? Promise.resolve(result).then((late) => toChecked<OutputOf<S>>(late))
    : toChecked<OutputOf<S>>(result);
}

/** One line for each thing that is wrong. */
export function describeIssues(issues: readonly Issue[]): string {
  return issues
    .map(({ path, message }) => (path === "" ? message : `${path}: ${message}`))
    .join("; ");
}

function toChecked<Value>(result: StandardSchemaV1.Result<unknown>): Checked<Value> {
  // The schema says of its own result that it is of its output type.
  if (result.issues === undefined) return { value: result.value as Value };
  return { issues: result.issues.map(({ path, message }) => ({ path: printPath(path), message })) };
}

function printPath(path: StandardSchemaV1.Issue["path"]): string {
  return (path ?? [])
    .map((segment) => (typeof segment === "object" ? segment.key : segment))
    .reduce<string>((text, key) => {
      if (typeof key === "number") return `${text}[${key}]`;
      return text === "" ? String(key) : `${text}.${String(key)}`;
    }, "");
}
