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
import { HostFilesystem, removeHostTreeNow } from "@wink/filesystem/host";
import { overlayRoot, overlayRoots } from "./overlay-root.js";
import { isGone, processIdentity } from "./process-identity.js";

const OWNER = "owner";
const FILES = "files";
const STORE = "store";
const NAME = /^wink-[0-9a-f]{12}$/;

export interface ContainerUser {
  readonly uid: number;
  readonly gid: number;
}

/**
 * A directory for one workspace: the files that a container shares, and beside them, where it cannot
 * reach, what the host keeps of them. Nobody else on this machine can look into it.
 */
export class Overlay {
  /** `wink-` and twelve hexadecimal digits: the name of the container too. */
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

  /** What the container has as its workspace. */
  get files(): string {
    return join(this.directory, FILES);
  }

  /** Keeps a filter of system calls beside the files, for the engine. Answers where. */
  keepProfile(profile: string): string {
    const path = join(this.directory, "seccomp.json");
    writeFileSync(path, profile, { mode: 0o600 });
    return path;
  }

  /** Where snapshots are kept. */
  get store(): string {
    return join(this.directory, STORE);
  }

  /** Removes everything. Call when no container has it any more. */
  async remove(): Promise<void> {
    await removeBelow(this.#root, this.name);
  }

  /** The same while the process exits. What cannot be removed stays until the next workspace is made. */
  removeNow(): void {
    try {
      for (const part of [this.files, this.store, this.directory]) removeHostTreeNow(part);
    } catch {
      // The process exits, so no caller can be told.
    }
  }

  /** Private to the host: what is in it goes with the workspace. */
  get directory(): string {
    return join(this.#root, this.name);
  }
}

/** Removes the workspaces of dead processes. Resolves to their names. */
export async function removeAbandoned(
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
        // Another process removes it too, or the next section will.
      }
    }
  return removed;
}

function isAbandoned(directory: string): boolean {
  const owner = join(directory, OWNER);
  try {
    // Where others may write too, it may be anything: a pipe would keep us waiting.
    return lstatSync(owner).isFile() && isGone(readFileSync(owner, "utf8"));
  } catch {
    // It is no workspace, or somebody else has just removed it.
    return false;
  }
}

/**
 * Over open directories, since what is in there was made by whoever ran in the container. The note of the
 * owner goes last: whoever is killed on the way leaves something that the next one still knows.
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
