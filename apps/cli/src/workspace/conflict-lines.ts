import type { ApplyConflict } from "@wink/filesystem/host";
import type { Colors } from "../terminal/print.js";
import { safeText } from "../terminal/terminal-text.js";

const REASONS: Readonly<Record<ApplyConflict["reason"], string>> = {
  changed: "was changed in the directory meanwhile",
  missing: "is gone from the directory",
  exists: "is new here, and the directory has something else by that name",
  blocked: "has no place: something is in the way in the directory",
  link: "is or lies behind a symbolic link, and those are not written",
  overlap: "would be written by two changes",
};

/** One line per conflicting file, in words. */
export function conflictLines(
  conflicts: readonly ApplyConflict[],
  colors: Colors,
): readonly string[] {
  return conflicts.map(
    ({ path, reason }) => `${colors.red("!")} ${safeText(path)} ${colors.dim(REASONS[reason])}`,
  );
}
