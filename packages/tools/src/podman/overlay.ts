import { randomBytes } from "node:crypto";
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import {
  findProcess,
  HostFilesystem,
  processIdentity,
  removeHostTreeNow,
} from "@wink/filesystem/host";
import { overlayRoot, overlayRoots } from "./overlay-root.js";

const OWNER = "owner";
const FILES = "files";
const STORE = "store";
const NAME = /^wink-[0-9a-f]{12}$/;

export interface ContainerUser {
  readonly uid: number;
  readonly gid: number;
}

/**
 * A directory for one workspace. It holds the files that are shared with a container, and next to them, out of the
 * container's reach, the host's snapshots. Other users of this machine cannot read it.
 */
export class Overlay {
  /** `wink-` and twelve hexadecimal digits. The names of its containers begin with it. */
  readonly name: string;
  readonly #root: string;

  private constructor(root: string, name: string) {
    this.#root = root;
    this.name = name;
  }

  static create(configuredRoot: string | undefined, user: ContainerUser): Overlay {
    const overlay = new Overlay(
      overlayRoot(configuredRoot),
      `wink-${randomBytes(6).toString("hex")}`,
    );
    mkdirSync(overlay.directory, 0o700);
    writeFileSync(join(overlay.directory, OWNER), processIdentity(), { mode: 0o600 });
    mkdirSync(overlay.files, 0o755);
    if (process.geteuid?.() === 0) chownSync(overlay.files, user.uid, user.gid);
    return overlay;
  }

  /** The directory that the container mounts as its workspace. */
  get files(): string {
    return join(this.directory, FILES);
  }

  /** Stores a seccomp profile for the engine, next to the files. Returns its path. */
  keepProfile(profile: string): string {
    const path = join(this.directory, "seccomp.json");
    writeFileSync(path, profile, { mode: 0o600 });
    return path;
  }

  /** The directory of the snapshots. */
  get store(): string {
    return join(this.directory, STORE);
  }

  /** Removes everything. Call it only when no container uses the workspace. */
  async remove(): Promise<void> {
    await removeBelow(this.#root, this.name);
  }

  /** Synchronous `remove`, for use while the process exits. The next section removes what it cannot. */
  removeNow(): void {
    try {
      for (const part of [this.files, this.store, this.directory]) removeHostTreeNow(part);
    } catch {
      // The process is exiting, so there is no caller to report to.
    }
  }

  /** Private to the host. Removed together with the workspace. */
  get directory(): string {
    return join(this.#root, this.name);
  }
}

/** Removes the workspaces of dead processes. Resolves to their names. */
export async function removeAbandonedWorkspaces(
  configuredRoot: string | undefined,
): Promise<readonly string[]> {
  const removed: string[] = [];
  for (const root of overlayRoots(configuredRoot))
    for (const name of readdirSync(root)) {
      if (!NAME.test(name) || !isAbandoned(join(root, name))) continue;
      try {
        await removeBelow(root, name);
        removed.push(name);
      } catch {
        // Another process is removing it too, or the next section will.
      }
    }
  return removed;
}

function isAbandoned(directory: string): boolean {
  const owner = join(directory, OWNER);
  try {
    // In a directory that others can write to, this could be a named pipe, and reading it would block.
    return lstatSync(owner).isFile() && findProcess(readFileSync(owner, "utf8"))?.state === "dead";
  } catch {
    // It is not a workspace, or another process has just removed it.
    return false;
  }
}

/**
 * Removes through open directory descriptors, because commands in the container may have put links there. The owner
 * file is removed last, so that another process can still identify the workspace if this one is killed half way.
 */
async function removeBelow(root: string, name: string): Promise<void> {
  const filesystem = await HostFilesystem.open(root, { sweep: false, fsync: false });
  try {
    for (const path of [`${name}/${FILES}`, `${name}/${STORE}`, name])
      if (existsSync(join(root, path))) await filesystem.delete(path, { recursive: true });
  } catch (error) {
    if (existsSync(join(root, name))) throw error;
  } finally {
    await filesystem.close();
  }
}
