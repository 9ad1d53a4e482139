import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";

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

/** A validation problem: its place in the value, and a message. */
export interface Issue {
  /** Such as `steps[3].title`; empty for the whole value. */
  readonly path: string;
  readonly message: string;
}

export type Checked<Value> =
  | { readonly value: Value; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] };

/** Validates `value`. Returns `undefined` if the schema is asynchronous. */
export function checkNow<S extends Schema>(
  schema: S,
  value: unknown,
): Checked<OutputOf<S>> | undefined {
  const result = schema["~standard"].validate(value);
  return result instanceof Promise ? undefined : toChecked<OutputOf<S>>(result);
}

/** Validates `value`. Returns a promise only if the schema is asynchronous. */
export function checkValue<S extends Schema>(
  schema: S,
  value: unknown,
): Checked<OutputOf<S>> | Promise<Checked<OutputOf<S>>> {
  const result = schema["~standard"].validate(value);
  // The schema may return a foreign thenable.
  return "then" in result
    ? Promise.resolve(result).then((late) => toChecked<OutputOf<S>>(late))
    : toChecked<OutputOf<S>>(result);
}

/** One line per issue. */
export function describeIssues(issues: readonly Issue[]): string {
  return issues
    .map(({ path, message }) => (path === "" ? message : `${path}: ${message}`))
    .join("; ");
}

function toChecked<Value>(result: StandardSchemaV1.Result<unknown>): Checked<Value> {
  // By the Standard Schema contract, a result without issues has the output type.
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
