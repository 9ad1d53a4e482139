import type { ToolCallStatus } from "../runtime/call/tool-outcome.js";
import type { CallAnswered } from "./transcript-record.js";

/** Calls that ended like this did not run, so they cost nothing. */
const NOT_RUN: readonly string[] = [
  "unknown",
  "invalid",
  "denied",
  "refused",
] satisfies readonly ToolCallStatus[];

/** Whether the handler of a call ran. A call that is made again counts then. */
export function didCallRun({ status, interrupted }: CallAnswered): boolean {
  return !NOT_RUN.includes(status) && interrupted !== "again";
}
