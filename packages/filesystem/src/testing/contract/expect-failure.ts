import assert from "node:assert/strict";
import { type FilesystemError, isFilesystemError } from "../../protocol/filesystem-error.js";

/** Further expectations about a failure. */
export interface ExpectedFailure {
  /** The public method that failed. @default any */
  readonly operation?: string | undefined;
  /** The path as the caller gave it. @default any */
  readonly path?: string | undefined;
}

/** Expects a call to reject with `code` and a message in the standard form. */
export async function expectFailure(
  call: Promise<unknown>,
  code: FilesystemError["code"],
  { operation, path }: ExpectedFailure = {},
): Promise<void> {
  const error = await failureOf(call);
  assert(isFilesystemError(error), `expected ${code}, got ${String(error)}`);
  assert.equal(error.code, code, error.message);
  const form = `${code}: ${error.operation} '${error.path}': ${error.reason}`;
  assert.equal(error.message.startsWith(form), true, error.message);
  if (operation !== undefined) assert.equal(error.operation, operation);
  if (path !== undefined) assert.equal(error.path, path);
}

/** Returns the error that a call rejects with. Throws when the call resolves. */
export async function failureOf(call: Promise<unknown>): Promise<unknown> {
  let value: unknown;
  try {
    value = await call;
  } catch (error) {
    return error;
  }
  throw new assert.AssertionError({
    message: `expected the call to reject, but it resolved with ${JSON.stringify(value)}`,
  });
}
