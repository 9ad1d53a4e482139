import { lstatSync, mkdirSync, readdirSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tolerating } from "../process/from-node-error.js";
import { isTokenAlive, releaseToken, takeToken } from "../process/owner.js";
import { PRIVATE_DIRECTORY } from "../process/store-io.js";
import { removeHostTree, removeHostTreeNow } from "./remove-tree.js";

/** A temporary directory that only this user can enter. What cannot be removed of it stays in the temporary folder. */
export interface PrivateDirectory {
  readonly path: string;
  /** Removes it with everything in it. Use this where other processes may work in it. */
  remove(): Promise<void>;
  /** The same in one go. */
  removeNow(): void;
}

const swept = new Set<string>();

/** Makes a temporary directory. Those of the same kind that dead processes left are removed in the background. */
export function makePrivateDirectory(kind: "store" | "fork"): PrivateDirectory {
  const parent = realpathSync(tmpdir());
  const prefix = `wink-${kind}-`;
  if (!swept.has(kind)) sweep(parent, prefix).catch(() => {});
  swept.add(kind);
  const token = takeToken();
  const path = join(parent, prefix + token);
  mkdirSync(path, PRIVATE_DIRECTORY);
  return {
    path,
    async remove() {
      releaseToken(token);
      await removeHostTree(path).catch(() => {});
    },
    removeNow() {
      releaseToken(token);
      tryTo(() => removeHostTreeNow(path));
    },
  };
}

async function sweep(parent: string, prefix: string): Promise<void> {
  const names = tolerating(["EACCES"], () => readdirSync(parent), []);
  for (const name of names) {
    if (!name.startsWith(prefix)) continue;
    const path = join(parent, name);
    const isOurs = lstatSync(path, { throwIfNoEntry: false })?.uid === process.geteuid?.();
    if (isOurs && !isTokenAlive(name.slice(prefix.length), path))
      await removeHostTree(path).catch(() => {});
  }
}

function tryTo(body: () => void): void {
  try {
    body();
  } catch {
    // Nothing depends on it.
  }
}
