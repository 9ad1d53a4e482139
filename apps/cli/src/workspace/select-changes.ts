import { realpath } from "node:fs/promises";
import { relative, resolve } from "node:path";
import type { ChangeSet, FileChange } from "@wink/filesystem";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";

export interface SelectedChanges {
  readonly files: readonly FileChange[];
  /** The patch for `git apply`. */
  readonly patch: string;
}

export interface SelectChangesOptions {
  /** As given on the command line. Empty means everything. */
  readonly paths: readonly string[];
  readonly cwd: string;
  readonly directory: string;
}

/** Selects the changes of the given files and of everything below the given directories. */
export async function selectChanges(
  changes: ChangeSet,
  { paths, cwd, directory }: SelectChangesOptions,
): Promise<SelectedChanges> {
  const patch = await changes.toPatch();
  if (paths.length === 0) return { files: changes.files, patch };
  const here = await realpath(cwd);
  const wanted = paths.map((path) => workspacePath(resolve(here, path), directory, path));
  const isWanted = (path: string | undefined) =>
    path !== undefined &&
    wanted.some((each) => each === "" || path === each || path.startsWith(`${each}/`));
  const files = changes.files.filter(({ path, oldPath }) => isWanted(path) || isWanted(oldPath));
  const headers = new Set(
    files.map(({ path, oldPath = path }) => `diff --git a/${onDisk(oldPath)} b/${onDisk(path)}`),
  );
  const parts = patch.split(/(?<=\n)(?=diff --git )/);
  return { files, patch: parts.filter((part) => headers.has(headerOf(part))).join("") };
}

function workspacePath(absolute: string, directory: string, given: string): string {
  const path = relative(directory, absolute);
  if (path !== ".." && !path.startsWith("../")) return path;
  throw new CliError(`${given} is outside of ${directory}.`, { exitCode: EXIT_CODES.usage });
}

/**
 * The first line of a file's patch, with names as `onDisk` returns them, not as git quotes them.
 */
function headerOf(part: string): string {
  const line = part.slice(0, part.indexOf("\n"));
  return line.replace(/"((?:[^"\\]|\\.)*)"/g, (_, quoted: string) => unquote(quoted));
}

/**
 * The bytes of a path, one character each. A byte that is not valid UTF-8 is shown as U+10FF00 plus
 * the byte.
 */
function onDisk(path: string): string {
  const characters = [...path].map((character) => {
    const code = character.codePointAt(0) ?? 0;
    return code >= 0x10ff00 ? Buffer.of(code - 0x10ff00) : Buffer.from(character);
  });
  return Buffer.concat(characters).toString("latin1");
}

const ESCAPES: Readonly<Record<string, number>> = {
  ...{ a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 },
  ...{ '"': 34, "\\": 92 },
};

function unquote(quoted: string): string {
  const bytes: number[] = [];
  for (const [, octal, short, plain] of quoted.matchAll(/\\([0-7]{3})|\\(.)|([^\\])/gs)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else bytes.push(ESCAPES[short ?? ""] ?? (plain ?? "").charCodeAt(0));
  }
  return Buffer.from(bytes).toString("latin1");
}
