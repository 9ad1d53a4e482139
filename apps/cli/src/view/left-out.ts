import type { LeftOutReason } from "@wink/workspace";
import type { Colors } from "../terminal/print.js";
import { safeText } from "../terminal/terminal-text.js";
import { number } from "./amounts.js";

/** A file or directory of the user that was not copied into the workspace. */
export interface LeftOut {
  readonly path: string;
  readonly reason: string;
  readonly isDirectory: boolean;
  readonly detail?: string | undefined;
}

/** Why, for one path and in the plural. */
const REASONS: Readonly<Record<LeftOutReason, readonly [one: string, many: string]>> = {
  excluded: ["excluded", "excluded"],
  "not-included": ["not included", "not included"],
  ignored: ["ignored by .gitignore", "ignored by .gitignore"],
  git: ["part of a Git repository", "parts of a Git repository"],
  secret: ["secret", "secrets"],
  symlink: ["symbolic link", "symbolic links"],
  "link-out": ["link to a file elsewhere", "links to files elsewhere"],
  hardlink: ["hard link", "hard links"],
  special: ["special file", "special files"],
  unreadable: ["unreadable", "unreadable"],
  "too-large": ["too large", "too large"],
};

/** `12 ignored by .gitignore, 2 secrets`. Empty if everything was copied, except for `.git`. */
export function countLeftOut(leftOut: readonly LeftOut[]): string {
  const counts = new Map<string, number>();
  for (const { reason } of leftOut) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  // Its files are never copied.
  counts.delete("git");
  return [...counts]
    .map(([reason, amount]) => `${number(amount)} ${wordsFor(reason)[amount === 1 ? 0 : 1]}`)
    .join(", ");
}

/** One line per path, with the reason. */
export function leftOutLines(leftOut: readonly LeftOut[], colors: Colors): readonly string[] {
  return leftOut.map(({ path, reason, isDirectory, detail }) => {
    const why = reason === "secret" && detail !== undefined ? detail : wordsFor(reason)[0];
    return `${safeText(path)}${isDirectory ? "/" : ""}  ${colors.dim(safeText(why))}`;
  });
}

/** A workspace that another version copied may have a reason that this version does not know. */
function wordsFor(reason: string): readonly [string, string] {
  return REASONS[reason as LeftOutReason] ?? [reason, reason];
}
