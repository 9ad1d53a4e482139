import { isFilesystemError, isSnapshotError } from "@wink/filesystem";
import { isApplyConflictError } from "../index.js";
import { CANARY, OUTSIDE_NAME, type Place } from "./place.test.support.js";

/** How an operation ended. */
export type Ending =
  | { readonly kind: "succeeded"; readonly result: unknown }
  | { readonly kind: "failed"; readonly error: unknown };

export async function endingOf(work: () => Promise<unknown>): Promise<Ending> {
  try {
    return { kind: "succeeded", result: await work() };
  } catch (error) {
    return { kind: "failed", error };
  }
}

/** Returns the problems of a result or an error that a caller got, independent of the files. */
export function problemsOfEnding(ending: Ending, place: Place): readonly string[] {
  // The target of a link that the attacker made is content of the workspace.
  const shown =
    ending.kind === "succeeded"
      ? showResult(ending.result).replaceAll(place.outside, "outside")
      : showError(ending.error);
  const problems: string[] = [];
  if (ending.kind === "failed" && !isTyped(ending.error))
    problems.push(`an error of another kind: ${shown}`);
  if (shown.includes(place.top) || shown.includes("/proc/"))
    problems.push(`a path of the host: ${shown}`);
  if (ending.kind === "succeeded" && shown.includes(OUTSIDE_NAME))
    problems.push(`a name from outside: ${shown}`);
  if (shown.includes(CANARY)) problems.push(`content from outside: ${shown}`);
  return problems;
}

export function showResult(result: unknown): string {
  return (
    JSON.stringify(result, (_, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString() : value,
    ) ?? "undefined"
  );
}

/** The parts of an error that a program may print or pass on: everything except the stack and the cause. */
function showError(error: unknown): string {
  const own = typeof error === "object" && error !== null ? Object.entries(error) : [];
  const fields = own.filter(([name]) => name !== "cause" && name !== "stack");
  return `${String(error)} ${showResult(Object.fromEntries(fields))}`;
}

function isTyped(error: unknown): boolean {
  return isFilesystemError(error) || isSnapshotError(error) || isApplyConflictError(error);
}
