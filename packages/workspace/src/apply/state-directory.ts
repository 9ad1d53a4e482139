import { randomBytes } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { FilesystemError } from "@wink/filesystem";

/**
 * Returns the directory for new journals and makes it if needed. A given directory is rejected unless it is private to
 * this user.
 *
 * The default is the user's state directory, then the user's runtime directory, then one in the temporary directory.
 * There, another user may have taken the usual name, so a random suffix is added.
 */
export function openStateDirectory(given: string | undefined): string {
  if (given !== undefined) return openGiven(resolve(given));
  for (const make of [...privateParents().map((parent) => () => makeIn(parent)), makeInTemporary]) {
    const directory = attempt(make);
    if (directory !== undefined && isPrivate(directory)) return directory;
  }
  throw refused("no private directory for the journal could be created; set stateDirectory");
}

/** The directory for everything that WINK stores for this user. Throws if there is no private place for it. */
export function defaultStateDirectory(): string {
  const [parent] = privateParents();
  if (parent !== undefined) return join(parent, "wink");
  throw refused("there is no private directory for state; set stateDirectory");
}

/** All directories that may contain this user's journals, because an earlier process may have used another one. */
export function findStateDirectories(given: string | undefined): readonly string[] {
  if (given === undefined)
    return [...privateParents().map(directoryIn), ...inTemporary()].filter(isPrivate);
  const directory = resolve(given);
  if (lstatSync(directory, { throwIfNoEntry: false }) === undefined) return [];
  if (isPrivate(directory)) return [directory];
  throw refused(
    "the state directory is not private to this user; set stateDirectory to one that is",
  );
}

function openGiven(directory: string): string {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw refused("the state directory cannot be created", error);
  }
  return findStateDirectories(directory)[0] ?? directory;
}

/** Directories that only this user can write to, in order of preference. */
function privateParents(): readonly string[] {
  const { XDG_STATE_HOME = "", XDG_RUNTIME_DIR = "" } = process.env;
  const home = attempt(homedir) ?? "";
  // Under sudo the home may belong to another user. It must not get directories that only root can change.
  const ownState = isOwn(home) ? join(home, ".local", "state") : "";
  // The XDG specification says to ignore relative paths.
  return [isAbsolute(XDG_STATE_HOME) ? XDG_STATE_HOME : ownState, XDG_RUNTIME_DIR].filter(
    isAbsolute,
  );
}

function directoryIn(parent: string): string {
  return join(parent, "wink", "apply");
}

function makeIn(parent: string): string {
  const directory = directoryIn(parent);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return directory;
}

function inTemporary(): readonly string[] {
  const name = temporaryBase();
  const names = attempt(() => readdirSync(tmpdir())) ?? [];
  return names
    .filter((each) => each === name || each.startsWith(`${name}-`))
    .sort()
    .map((each) => join(tmpdir(), each));
}

function makeInTemporary(): string {
  const existing = inTemporary().find(isPrivate);
  if (existing !== undefined) return existing;
  const usual = join(tmpdir(), temporaryBase());
  const name = lstatSync(usual, { throwIfNoEntry: false })
    ? `${usual}-${randomBytes(6).toString("hex")}`
    : usual;
  mkdirSync(name, { mode: 0o700 });
  return name;
}

function temporaryBase(): string {
  return `wink-apply-${userId()}`;
}

function isPrivate(path: string): boolean {
  const stat = attempt(() => lstatSync(path));
  if (stat === undefined || !stat.isDirectory()) return false;
  return stat.uid === userId() && (stat.mode & 0o077) === 0;
}

function isOwn(path: string): boolean {
  return attempt(() => lstatSync(path))?.uid === userId();
}

function userId(): number {
  return process.geteuid?.() ?? 0;
}

/** Returns `undefined` on failure, so that the caller tries the next directory. */
function attempt<T>(body: () => T): T | undefined {
  try {
    return body();
  } catch {
    return undefined;
  }
}

function refused(reason: string, cause?: unknown): FilesystemError {
  return new FilesystemError("EACCES", { operation: "apply", path: ".", reason, cause });
}
