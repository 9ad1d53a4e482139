import { readdirSync, statSync } from "node:fs";
import { TEMPORARY_PREFIX } from "../../path/temporary-prefix.js";
import { tolerating } from "./from-node-error.js";
import { readIfThere, removeIfThere } from "./store-io.js";
import { isAbandoned, isOwnName, temporaryName } from "./temporary-name.js";

const HELD = Symbol.for("wink.filesystem.held-tokens");

/**
 * The tokens that this thread holds. Copies of this package in one process share them: otherwise each copy would treat
 * the others' locks and temporary directories as abandoned.
 */
const held: Set<string> = shareHeld();

function shareHeld(): Set<string> {
  const shared: { [HELD]?: Set<string> } & object = globalThis;
  shared[HELD] ??= new Set();
  return shared[HELD];
}

/** Returns a unique token that identifies this process as the owner of a file. Call `releaseToken` when done. */
export function takeToken(): string {
  const token = temporaryName();
  held.add(token);
  return token;
}

/** Ends the ownership. Files with this token count as abandoned, even if they could not be removed. */
export function releaseToken(token: string): void {
  held.delete(token);
}

export interface TokenOptions {
  /** How long a process that cannot be checked from here counts as alive. @default an hour */
  readonly foreignLifetimeMs?: number | undefined;
}

/**
 * `path` is the file or directory that has the token. Its age decides if the process is in another PID namespace.
 */
export function isTokenAlive(token: string, path: string, options?: TokenOptions): boolean {
  if (isOwnName(token)) return held.has(token);
  const modifiedAtMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  return modifiedAtMs !== undefined && !isAbandoned(token, modifiedAtMs, options);
}

/** Whether the process that wrote its token into the file still holds it. A missing file has no owner. */
export function isOwnerAlive(path: string): boolean {
  const token = readIfThere(path)?.toString("latin1").split("\n")[0];
  return token !== undefined && isTokenAlive(token, path);
}

/** Returns the files in a directory whose names are tokens of living processes. */
export function livingIn(directory: string, options?: TokenOptions): readonly string[] {
  return tokensIn(directory).filter((name) => isTokenAlive(name, `${directory}/${name}`, options));
}

/** Removes the files in a directory whose names are tokens of dead processes. */
export function removeDead(directory: string, options?: TokenOptions): void {
  for (const name of tokensIn(directory))
    if (!isTokenAlive(name, `${directory}/${name}`, options)) removeIfThere(`${directory}/${name}`);
}

function tokensIn(directory: string): readonly string[] {
  const names = tolerating(["ENOENT"], () => readdirSync(directory), []);
  return names.filter((name) => name.startsWith(TEMPORARY_PREFIX));
}
