import { lstatSync, mkdirSync, readdirSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tolerating } from "../host/from-node-error.js";
import { isTokenAlive, releaseToken, takeToken } from "./owner.js";
import { removeStore } from "./remove-store.js";
import { PRIVATE_DIRECTORY } from "./store-io.js";

/** A temporary directory for us alone. */
export interface PrivateDirectory {
  readonly path: string;
  /** Removes it with all that is in it. */
  remove(): void;
}

const swept = new Set<string>();

/** Makes a temporary directory; those that processes that are no more have left of the same kind are removed first. */
export function makePrivateDirectory(kind: "store" | "fork"): PrivateDirectory {
  const parent = realpathSync(tmpdir());
  const prefix = `wink-${kind}-`;
  if (!swept.has(kind)) sweep(parent, prefix);
  swept.add(kind);
  const token = takeToken();
  const path = join(parent, prefix + token);
  mkdirSync(path, PRIVATE_DIRECTORY);
  return {
    path,
    remove() {
      releaseToken(token);
      removeStore(path);
    },
  };
}

function sweep(parent: string, prefix: string): void {
  const names = tolerating(["EACCES"], () => readdirSync(parent), []);
  for (const name of names) {
    if (!name.startsWith(prefix)) continue;
    const path = join(parent, name);
    const isOurs = lstatSync(path, { throwIfNoEntry: false })?.uid === process.geteuid?.();
    if (isOurs && !isTokenAlive(name.slice(prefix.length), path)) removeStore(path);
  }
}
