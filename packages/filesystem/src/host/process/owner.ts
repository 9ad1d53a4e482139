import { readdirSync, statSync } from "node:fs";
import { tolerating } from "./from-node-error.js";
import { readIfThere } from "./store-io.js";
import { isAbandoned, temporaryName } from "./temporary-name.js";

/** The tokens of this process that are in use. */
const held = new Set<string>();

/** A token that says which process something belongs to, and that is unlike every other. Give it back. */
export function takeToken(): string {
  const token = temporaryName();
  held.add(token);
  return token;
}

/** From now on what has this token belongs to nobody, also when it could not be removed. */
export function releaseToken(token: string): void {
  held.delete(token);
}

/** Whether the process that wrote its token into the file still holds it. A file that is not there has no owner. */
export function isOwnerAlive(path: string): boolean {
  const token = readIfThere(path)?.toString("latin1").split("\n")[0];
  return token !== undefined && isTokenAlive(token, path);
}

/** Those of the files in a directory, named by their owners' tokens, whose owners live. */
export function livingIn(directory: string): readonly string[] {
  const names = tolerating(["ENOENT"], () => readdirSync(directory), []);
  return names.filter((name) => isTokenAlive(name, `${directory}/${name}`));
}

/** `path` is what bears the token: where its process cannot be seen from here, its age decides. */
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
