import { access, constants, readdir, stat, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isFilesystemError } from "@wink/filesystem";
import { HostFilesystem } from "@wink/filesystem/host";
import type { Io } from "../terminal/io.js";
import { count, size } from "../view/amounts.js";
import { stateDirectory } from "../workspace/state-directory.js";
import type { Check } from "./check.js";

const LITTLE_SPACE_BYTES = 1_000_000_000;

/**
 * Checks the state directory: whether it is writable, the free space, and whether opening a file
 * through a symbolic link is refused there.
 */
export async function checkState({ env }: Pick<Io, "env">): Promise<readonly Check[]> {
  const directory = stateDirectory(env);
  const nearest = await nearestExisting(directory);
  return [
    await checkDirectory(directory, nearest),
    await checkSpace(nearest),
    await checkContainment(nearest),
  ];
}

async function checkDirectory(directory: string, nearest: string): Promise<Check> {
  const name = "state directory";
  const refused = (problem: string): Check => ({
    ...{ name, status: "failed", message: `${directory} ${problem}.` },
    action: "Set WINK_STATE_DIR to a directory of your own.",
  });
  if (!(await stat(nearest)).isDirectory())
    return refused("cannot be created: a file is in the way");
  try {
    await access(nearest, constants.W_OK | constants.X_OK);
  } catch {
    return refused("cannot be written");
  }
  if (nearest !== directory)
    return { name, status: "ok", message: `${directory}, created when it is first needed.` };
  const workspaces = await readdir(join(directory, "workspaces")).catch(() => []);
  return { name, status: "ok", message: `${directory}, ${count(workspaces.length, "workspace")}.` };
}

async function checkSpace(nearest: string): Promise<Check> {
  const { bavail, bsize } = await statfs(nearest);
  const name = "space";
  const message = `${size(bavail * bsize)} free for workspaces.`;
  if (bavail * bsize >= LITTLE_SPACE_BYTES) return { name, status: "ok", message };
  const action =
    "Free some space (`wink snapshots prune` helps), or set WINK_STATE_DIR to a larger disk.";
  return { name, status: "warning", message, action };
}

/**
 * Opening a directory tests whether links are refused, and fails if they are not. Nothing is
 * written.
 */
async function checkContainment(nearest: string): Promise<Check> {
  const name = "containment";
  try {
    await using _ = await HostFilesystem.open(nearest, { readOnly: true });
    return { name, status: "ok", message: "No path and no link escapes from a workspace." };
  } catch (error) {
    const reason = isFilesystemError(error) ? error.message : "the check failed";
    return {
      name,
      status: "failed",
      message: `Workspaces on disk are not contained here: ${reason}.`,
      action:
        "Use Linux with /proc and a local disk for WINK_STATE_DIR, or `wink run --backend memory`.",
    };
  }
}

async function nearestExisting(path: string): Promise<string> {
  for (let at = path; ; at = dirname(at)) {
    const found = await stat(at).catch(() => undefined);
    if (found !== undefined || at === dirname(at)) return at;
  }
}
