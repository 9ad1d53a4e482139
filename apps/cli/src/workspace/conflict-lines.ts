import type { ApplyConflict } from "@wink/workspace";
import type { Colors } from "../terminal/print.js";
import { safeText } from "../terminal/terminal-text.js";

const REASONS: Readonly<Record<ApplyConflict["reason"], string>> = {
  changed: "was also changed in the directory",
  missing: "was deleted from the directory",
  exists: "is new here, but also exists in the directory",
  blocked: "cannot be written: something is in the way in the directory",
  link: "is a symbolic link or below one, and links are not written",
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
