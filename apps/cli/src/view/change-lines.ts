import type { FileChange } from "@wink/filesystem";
import type { Colors } from "../terminal/print.js";
import { safeText } from "../terminal/terminal-text.js";

/** The letters of `git status`. */
const MARKS = {
  added: { letter: "A", color: "green" },
  deleted: { letter: "D", color: "red" },
  renamed: { letter: "R", color: "cyan" },
  modified: { letter: "M", color: "yellow" },
  mode: { letter: "M", color: "yellow" },
} as const satisfies Record<FileChange["type"], { letter: string; color: keyof Colors }>;

/** What people do next with changes in a workspace, for `showCommands`. */
export const NEXT_COMMANDS: readonly string[] = ["Review: `wink diff`", "Apply:  `wink apply`"];

/** One line per changed path: a letter and the path. */
export function changeLines(files: readonly FileChange[], colors: Colors): readonly string[] {
  return files.map(({ type, path, oldPath }) => {
    const { letter, color } = MARKS[type];
    const name = oldPath === undefined ? path : `${oldPath} → ${path}`;
    return `${colors[color](letter)} ${safeText(name)}`;
  });
}
