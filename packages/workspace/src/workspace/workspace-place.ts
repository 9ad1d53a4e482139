import { createHash } from "node:crypto";
import { existsSync, mkdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { defaultStateDirectory } from "../apply/state-directory.js";
import { requirePath } from "../error/require-path.js";
import { WorkspaceError } from "../error/workspace-error.js";

/** The paths of a workspace on this machine. */
export interface WorkspacePlace {
  /** The real path of the user's directory. */
  readonly directory: string;
  /** The parent of all paths below. */
  readonly home: string;
  /** The copy that agents work on. */
  readonly files: string;
  /** The snapshots. */
  readonly store: string;
  /** Journals and old contents of applied changes. */
  readonly applied: string;
  readonly record: string;
  /** The record of the first version of the command line, an event log. */
  readonly oldRecord: string;
  /** The stats of the files that were copied. */
  readonly index: string;
  /** The paths that may differ from the base. */
  readonly touched: string;
  readonly leftOut: string;
  /** Large files while a refresh takes them over. */
  readonly incoming: string;
  /** The lock of the workspace. */
  readonly lock: string;
  /** The lock of the run that works on the copy. */
  readonly runLock: string;
  /** One directory per run. */
  readonly runs: string;
  /** One workspace per line of work that is kept apart. */
  readonly lines: string;
}

/** Finds the paths by the real path, so that a directory has one workspace for all its names. Creates nothing. */
export function findPlace(given: string, stateDirectory?: string): WorkspacePlace {
  const directory = realDirectory(given);
  const state = stateDirectory === undefined ? defaultStateDirectory() : resolve(stateDirectory);
  for (const path of [state, realPath(state)])
    if (isWithin(path, directory))
      throw new WorkspaceError("INVALID_OPTION", {
        subject: "stateDirectory",
        reason: "it is inside the workspace's directory. Use one outside.",
      });
  return placeIn(directory, join(state, "workspaces", keyOf(directory)));
}

export function placeIn(directory: string, home: string): WorkspacePlace {
  return {
    directory,
    home,
    files: join(home, "files"),
    store: join(home, "store"),
    applied: join(home, "applied"),
    record: join(home, "workspace.json"),
    oldRecord: join(home, "workspace.jsonl"),
    index: join(home, "index"),
    touched: join(home, "touched"),
    incoming: join(home, "incoming"),
    leftOut: join(home, "left-out.json"),
    lock: join(home, "lock"),
    runLock: join(home, "run-lock"),
    runs: join(home, "runs"),
    lines: join(home, "lines"),
  };
}

/** Creates missing directories, accessible only to the user. */
export function makePlace({ home, files, applied, runs, lines }: WorkspacePlace): void {
  try {
    for (const path of [home, files, applied, runs, lines])
      mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new WorkspaceError("STATE_UNUSABLE", {
      subject: "stateDirectory",
      reason: "a directory for the workspace cannot be created there. Use one of your own.",
      cause,
    });
  }
}

/** The path below `directory`. Links above the last part that exists are resolved. */
export function workspacePath(directory: string, from: string, given: string): string {
  requirePath("pathOf", given);
  requirePath("pathOf", from);
  const absolute = resolve(from, given);
  let [known, rest] = [absolute, ""];
  while (!existsSync(known) && known !== dirname(known)) {
    rest = rest === "" ? basename(known) : `${basename(known)}/${rest}`;
    known = dirname(known);
  }
  // The last part may be a link itself.
  const real =
    known === absolute ? join(realPath(dirname(known)), basename(known)) : realPath(known);
  for (const path of [join(real, rest), absolute])
    if (isWithin(path, directory)) return relative(directory, path);
  const reason = "the path is outside of the workspace's directory.";
  throw new WorkspaceError("INVALID_OPTION", { subject: given, reason });
}

function realDirectory(given: string): string {
  try {
    const directory = realpathSync(given);
    if (statSync(directory).isDirectory()) return directory;
  } catch (cause) {
    const reason = "the directory does not exist.";
    throw new WorkspaceError("INVALID_OPTION", { subject: given, reason, cause });
  }
  throw new WorkspaceError("INVALID_OPTION", { subject: given, reason: "it is not a directory." });
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** A name that people can read in the state directory, unique per path. */
function keyOf(directory: string): string {
  const name = basename(directory)
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[.-]+/, "")
    .slice(0, 40);
  const hash = createHash("sha256").update(directory).digest("hex").slice(0, 16);
  return `${name || "root"}-${hash}`;
}

function isWithin(path: string, directory: string): boolean {
  const below = relative(directory, path);
  return below === "" || (below !== ".." && !below.startsWith("../"));
}
