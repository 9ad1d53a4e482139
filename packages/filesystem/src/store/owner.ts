import { readdirSync, statSync } from "node:fs";
import { tolerating } from "../host/from-node-error.js";
import { isAbandoned, temporaryName } from "../host/temporary-name.js";
import { readIfThere } from "./store-io.js";

/** A token that says which process something belongs to, and that is unlike every other. */
export function ownerToken(): string {
  return temporaryName();
}

/** Whether the process that wrote its token into the file lives. A file that is not there has no owner. */
export function isOwnerAlive(path: string): boolean {
  const token = readIfThere(path)?.toString("latin1");
  return token !== undefined && isTokenAlive(token.split("\n")[0] ?? "", path);
}

/** Those of the files in a directory, named by their owners' tokens, whose owners live. */
export function livingIn(directory: string): readonly string[] {
  const names = tolerating(["ENOENT"], () => readdirSync(directory), []);
  return names.filter((name) => isTokenAlive(name, `${directory}/${name}`));
}

function isTokenAlive(token: string, path: string): boolean {
  const modifiedAtMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  return modifiedAtMs !== undefined && !isAbandoned(token, modifiedAtMs, Date.now());
}
