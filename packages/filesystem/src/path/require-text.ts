import { describeKind } from "@wink/store/internal";
import { type FilesystemError, invalidArgument } from "../protocol/filesystem-error.js";

/** Throws `EINVAL` for a path or a name that is not a string. `call` is the name of the public function. */
export function requireText(call: string, value: unknown): void {
  if (typeof value !== "string") throw wrongText(call, value);
}

function wrongText(call: string, value: unknown): FilesystemError {
  return invalidArgument(`paths.${call}`, `expected a string, got ${describeKind(value)}`);
}
