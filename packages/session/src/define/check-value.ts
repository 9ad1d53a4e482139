import type { StandardSchemaV1 } from "@standard-schema/spec";
import { formatPath, freezeData } from "./plain-data.js";
import { sameData } from "./same-data.js";
import { SessionError } from "./session-error.js";

/** The texts and the code of a check's error. */
export interface CheckOptions {
  /** The subject of the message, such as `slice 'plan'`. */
  readonly subject: string;
  /** The name of the value in a path, such as `payload`. */
  readonly root: string;
  /** The error code when the schema rejects the value. */
  readonly code: SessionError["code"];
}

/**
 * Validates `value` with `schema` and returns it as frozen plain data.
 *
 * The schema must accept its own output unchanged, because a stored value is validated again when a snapshot or a log
 * is read.
 */
export function checkValue<Output>(
  schema: StandardSchemaV1<unknown, Output>,
  value: unknown,
  options: CheckOptions,
): Output {
  const output = validate(schema, value, options);
  // Keep the value itself if nothing changed, so that versions of a value share their parts.
  const same = sameData(output, value);
  const frozen = freezeData(same ? value : output, options.subject, options.root);
  if (!same && !sameData(validate(schema, frozen, options), frozen))
    throw new SessionError("SCHEMA_UNSTABLE", options.subject, undefined, { path: options.root });
  // Equal to the schema's output, so it has the schema's output type.
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
  throw new SessionError(code, subject, issue?.message ? shorten(issue.message) : undefined, {
    path: formatPath(root, keys),
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
    // zod throws such an error for an asynchronous schema.
    const isAsync = cause instanceof Error && /async|promise/i.test(cause.constructor.name);
    throw new SessionError(isAsync ? "SCHEMA_ASYNC" : "SCHEMA_FAILED", subject, undefined, {
      cause,
    });
  }
  if (!("then" in result)) return result;
  // The promise is ignored, so its rejection must not end the process.
  result.then(undefined, () => {});
  throw new SessionError("SCHEMA_ASYNC", subject);
}

function shorten(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
