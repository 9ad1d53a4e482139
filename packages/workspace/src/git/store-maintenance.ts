import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { requirePath } from "../error/require-path.js";
import { WorkspaceError } from "../error/workspace-error.js";
import { Git } from "./git-plumbing.js";

/** Checks every object of WINK's own snapshot store with `git fsck`. Returns the problems that git reports. */
export async function verifyStore(storeDirectory: string): Promise<readonly string[]> {
  const git = openStore(storeDirectory);
  try {
    await git.run(["fsck", "--strict", "--no-dangling", "--no-progress"]);
    return [];
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return text.split("\n").filter((line) => line !== "");
  }
}

/** Writes all snapshots of WINK's own store into one file, which `git clone` and `git fetch` can read. */
export async function bundleStore(storeDirectory: string, file: string): Promise<void> {
  const git = openStore(storeDirectory);
  try {
    requirePath("file", file);
    await git.run(["bundle", "create", "--quiet", resolve(file), "--all"]);
  } catch (cause) {
    throw new WorkspaceError("GIT_FAILED", {
      subject: "bundle",
      reason:
        "git could not write it. Check that there are snapshots and that the file can be written.",
      cause,
    });
  }
}

function openStore(storeDirectory: string): Git {
  requirePath("storeDirectory", storeDirectory);
  return new Git(realpathSync(storeDirectory), "", true);
}
