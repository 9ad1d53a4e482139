import type { ApplyProgress } from "@wink/workspace";
import type { StatusLine } from "../terminal/status-line.js";
import { count, number } from "./amounts.js";

/** Shows the progress of an apply or an undo. Pass it as `onProgress`. */
export function showApplying(
  status: StatusLine,
  what: "applying" | "undoing",
): (progress: ApplyProgress) => void {
  return ({ phase, changeCount, totalChanges }) =>
    status.show(
      phase === "save" ? "saving the old files" : what,
      `${number(changeCount)} of ${count(totalChanges, "change")}`,
    );
}
