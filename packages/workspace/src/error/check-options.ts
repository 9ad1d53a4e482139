import { findOptionProblem } from "@wink/filesystem/internal";
import { WorkspaceError } from "./workspace-error.js";

/** Refuses options of a call that the types forbid but an untyped caller may pass. */
export function checkOptions(subject: string, options: unknown, known: readonly string[]): void {
  const problem =
    options === undefined
      ? `options are missing. Options: ${known.join(", ")}.`
      : findOptionProblem(options, known);
  if (problem !== undefined)
    throw new WorkspaceError("INVALID_OPTION", { subject, reason: problem });
}
