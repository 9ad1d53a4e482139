import type { StandardSchemaV1 } from "@standard-schema/spec";
import { formatPath, freezeData } from "./plain-data.js";
import { sameData } from "./same-data.js";
import { SessionError, type SessionErrorCode } from "./session-error.js";

/** How a check's refusal reads. */
export interface CheckOptions {
  /** What the value is for, such as `slice 'plan'`. */
  readonly subject: string;
  /** What the value is called in a path, such as `payload`. */
  readonly root: string;
  /** The code when the schema says no. */
  readonly code: SessionErrorCode;
}

/**
 * Passes `value` through `schema` and returns it as frozen plain data.
 *
 * The result is a value that the schema leaves alone, because what is stored is
 * passed through it again when a snapshot or a log is read.
 */
export function checkValue<Output>(
  schema: StandardSchemaV1<unknown, Output>,
  value: unknown,
  options: CheckOptions,
): Output {
  const output = validate(schema, value, options);
  // The value itself when nothing changed: versions of a value then share what they have in common.
  const same = sameData(output, value);
  const frozen = freezeData(same ? value : output, options.subject, options.root);
  if (!same && !sameData(validate(schema, frozen, options), frozen))
    throw new SessionError("schema_unstable", { subject: options.subject, path: options.root });
  // The same data as what the schema let pass, so it has the type that the schema states.
  return frozen as Output;
}

function validate<Output>(
  schema: StandardSchemaV1<unknown, Output>,
  value: unknown,
  { subject, root, code }: CheckOptions,
): Output {
  const result = callSchema(schema, value, subject);
  if (result.issues === undefined) return result.value;
  const [issue] = result.issues;
  const keys = (issue?.path ?? []).map((part) => (typeof part === "object" ? part.key : part));
  throw new SessionError(code, {
    subject,
    path: formatPath(root, keys),
    reason: issue?.message ? shorten(issue.message) : undefined,
  });
}

function callSchema<Output>(
  schema: StandardSchemaV1<unknown, Output>,
  value: unknown,
  subject: string,
): StandardSchemaV1.Result<Output> {
  let result: StandardSchemaV1.Result<Output> | Promise<StandardSchemaV1.Result<Output>>;
  try {
    result = schema["~standard"].validate(value);
  } catch (cause) {
    // zod says in this way that a schema is asynchronous.
    const isAsync = cause instanceof Error && /async|promise/i.test(cause.constructor.name);
    throw new SessionError(isAsync ? "schema_async" : "schema_failed", { subject, cause });
  }
  if (!("then" in result)) return result;
  // Nobody waits for it, so its failure must not end the process.
  result.then(undefined, () => {});
  throw new SessionError("schema_async", { subject });
}

function shorten(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
