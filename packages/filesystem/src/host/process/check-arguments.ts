import { describeKind, findOptionProblem } from "@wink/store/internal";
import { FilesystemError } from "../../protocol/filesystem-error.js";

/** Throws `EINVAL` unless `path` can be a path of this machine. An empty path would be the current directory. */
export function requireHostPath(path: unknown, operation: string): void {
  const bytes = typeof path === "string" ? Buffer.from(path) : path;
  if (!Buffer.isBuffer(bytes))
    throw invalid(operation, `the path must be a string, got ${describeKind(path)}`);
  if (bytes.length === 0 || bytes.includes(0))
    throw invalid(operation, "the path is empty or contains a NUL character");
}

/** Throws `EINVAL` unless `value` is of this type. */
export function requireType(
  value: unknown,
  type: "a string" | "a number" | "a function",
  operation: string,
): void {
  if (`a ${typeof value}` === type) return;
  throw invalid(operation, `it needs ${type}, got ${describeKind(value)}`);
}

/** Throws `EINVAL` for options that are not an object or have an unknown name. */
export function requireOptions(
  options: unknown,
  known: Readonly<Record<string, true>>,
  operation: string,
): void {
  const problem = findOptionProblem(options, Object.keys(known));
  if (problem !== undefined) throw invalid(operation, problem.replace(/\.$/, ""));
}

function invalid(operation: string, reason: string): FilesystemError {
  return new FilesystemError("EINVAL", { operation, path: ".", reason });
}
