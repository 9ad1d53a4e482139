import assert from "node:assert/strict";
import { type FilesystemErrorCode, isFilesystemError } from "../../protocol/filesystem-error.js";

/** What else must be so of a failure. */
export interface ExpectedFailure {
  /** The public method that failed. @default any */
  readonly operation?: string | undefined;
  /** The path as the caller gave it. @default any */
  readonly path?: string | undefined;
}

/** Waits for a call to be refused with `code`, in the one form that refusals have. */
export async function expectFailure(
  call: Promise<unknown>,
  code: FilesystemErrorCode,
  { operation, path }: ExpectedFailure = {},
): Promise<void> {
  const error = await failureOf(call);
  assert(isFilesystemError(error), `expected ${code}, but it failed with ${String(error)}`);
  assert.equal(error.code, code, error.message);
  assert.equal(error.message.startsWith(`${code}: `), true, error.message);
  assert.equal(error.message.endsWith(`, ${error.operation} '${error.path}'`), true, error.message);
  if (operation !== undefined) assert.equal(error.operation, operation);
  if (path !== undefined) assert.equal(error.path, path);
}

/** What a call rejects with. Fails when it does not. */
export async function failureOf(call: Promise<unknown>): Promise<unknown> {
  let value: unknown;
  try {
    value = await call;
  } catch (error) {
    return error;
  }
  throw new assert.AssertionError({
    message: `expected a refusal, but got ${JSON.stringify(value)}`,
  });
}
