import { lstatSync, mkdirSync, readdirSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requireType } from "../process/check-arguments.js";
import { tolerating } from "../process/from-node-error.js";
import { isTokenAlive, releaseToken, takeToken } from "../process/process-token.js";
import { PRIVATE_DIRECTORY } from "../process/store-io.js";
import { removeHostTree, removeHostTreeNow } from "./remove-tree.js";

/**
 * A temporary directory that only this user can enter. Content that cannot be removed stays in the temporary
 * folder.
 */
export interface PrivateDirectory {
  readonly path: string;
  /** Removes it with all its content. Use this if other processes may be using it. */
  remove(): Promise<void>;
  /** Does the same synchronously. */
  removeNow(): void;
}

const swept = new Set<string>();

/**
 * Creates a temporary directory. Directories of the same kind that dead processes left are removed in the
 * background.
 */
export function makePrivateDirectory(kind: "store" | "fork" | "workspace"): PrivateDirectory {
  requireType(kind, "a string", "makePrivateDirectory");
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
    // Best effort: nothing depends on the removal.
  }
}
