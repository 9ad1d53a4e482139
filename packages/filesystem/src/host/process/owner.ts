import { readdirSync, statSync } from "node:fs";
import { tolerating } from "./from-node-error.js";
import { readIfThere } from "./store-io.js";
import { isAbandoned, temporaryName } from "./temporary-name.js";

/** The tokens that this process holds. */
const held = new Set<string>();

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

/** Whether the process that wrote its token into the file still holds it. A missing file has no owner. */
export function isOwnerAlive(path: string): boolean {
  const token = readIfThere(path)?.toString("latin1").split("\n")[0];
  return token !== undefined && isTokenAlive(token, path);
}

/** Returns the files in a directory whose names are tokens of living processes. */
export function livingIn(directory: string): readonly string[] {
  const names = tolerating(["ENOENT"], () => readdirSync(directory), []);
  return names.filter((name) => isTokenAlive(name, `${directory}/${name}`));
}

/**
 * `path` is the file or directory that has the token. Its age decides if the process is in another PID namespace.
 */
export function isTokenAlive(token: string, path: string): boolean {
  if (processOf(token) === ownProcess()) return held.has(token);
  const modifiedAtMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  return modifiedAtMs !== undefined && !isAbandoned(token, modifiedAtMs, Date.now());
}

function processOf(token: string): string {
  return token.slice(0, token.lastIndexOf("-"));
}

function ownProcess(): string {
  own ??= processOf(temporaryName());
  return own;
}

let own: string | undefined;
