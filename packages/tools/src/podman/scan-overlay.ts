import {
  type BigIntStats,
  chmodSync,
  closeSync,
  constants,
  lchownSync,
  lstatSync,
  openSync,
  readdirSync,
} from "node:fs";
import { setImmediate as turn } from "node:timers/promises";
import type { DirectChanges } from "../files/record-command.js";
import type { ContainerUser } from "./overlay.js";

/** The result of a scan of the whole workspace. */
export interface OverlayScan {
  /** The size and the stamp of each file and link. The stamp changes whenever the file is touched. */
  readonly files: ReadonlyMap<string, ScannedFile>;
  readonly totalBytes: number;
  /** Files, directories and everything else. */
  readonly count: number;
}

interface ScannedFile {
  readonly sizeBytes: number;
  readonly stamp: string;
}

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
/** Linux flag that opens a path without any permissions on the file. Node has no constant for it. */
const O_PATH = 0x20_0000;
/** Each level keeps a descriptor open. Deeper files are not reported, but a rollback still covers them. */
const MAX_DEPTH = 200;
const SLICE_MS = 10;

/**
 * Scans every file through open directory descriptors, and follows no link.
 *
 * It also makes every file usable for tools and commands: as root it changes the owner to the container's user;
 * otherwise it adds missing permissions for the current user.
 */
export async function scanOverlay(root: string, user: ContainerUser): Promise<OverlayScan> {
  const scan = new Scan(user);
  reopen(Buffer.from(root));
  const fd = openSync(root, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  try {
    await scan.visit(fd, "", 0);
  } finally {
    closeSync(fd);
  }
  return scan;
}

class Scan implements OverlayScan {
  readonly files = new Map<string, ScannedFile>();
  totalBytes = 0;
  count = 0;
  readonly #user: ContainerUser;
  readonly #isRoot = process.geteuid?.() === 0;
  #rested = performance.now();

  constructor(user: ContainerUser) {
    this.#user = user;
  }

  async visit(fd: number, path: string, depth: number): Promise<void> {
    for (const name of readdirSync(`/proc/self/fd/${fd}`, { encoding: "buffer" })) {
      if (performance.now() - this.#rested > SLICE_MS) {
        await turn();
        this.#rested = performance.now();
      }
      const place = Buffer.concat([Buffer.from(`/proc/self/fd/${fd}/`), name]);
      const stat = this.#handOver(place);
      // Deleted since `readdir`.
      if (stat === undefined) continue;
      this.count++;
      const below = path === "" ? name.toString() : `${path}/${name.toString()}`;
      if (stat.isDirectory()) await this.#descend(place, below, depth + 1);
      else if (stat.isFile() || stat.isSymbolicLink()) this.#note(below, stat);
    }
  }

  async #descend(place: Buffer, path: string, depth: number): Promise<void> {
    if (depth > MAX_DEPTH) return;
    const fd = attempt(() => openSync(place, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
    if (fd === undefined) return;
    try {
      await this.visit(fd, path, depth);
    } finally {
      closeSync(fd);
    }
  }

  #note(path: string, { size, ino, mode, mtimeNs, ctimeNs }: BigIntStats): void {
    const sizeBytes = Number(size);
    this.totalBytes += sizeBytes;
    this.files.set(path, { sizeBytes, stamp: `${ino} ${mode} ${size} ${mtimeNs} ${ctimeNs}` });
  }

  #handOver(place: Buffer): BigIntStats | undefined {
    const stat = look(place);
    if (stat === undefined) return undefined;
    const { uid, gid } = this.#user;
    if (this.#isRoot) {
      if (Number(stat.uid) === uid) return stat;
      attempt(() => lchownSync(place, uid, gid));
      return look(place);
    }
    const wanted = stat.isDirectory() ? 0o700 : stat.isFile() ? 0o600 : 0;
    if ((Number(stat.mode) & wanted) === wanted) return stat;
    attempt(() => addPermissions(place, Number(stat.mode) | wanted));
    return look(place);
  }
}

/** A command can remove the permissions of the workspace directory, which would lock out later commands and the tools. */
function reopen(root: Buffer): void {
  const mode = Number(look(root)?.mode ?? 0o700);
  if ((mode & 0o700) !== 0o700) attempt(() => addPermissions(root, mode | 0o700));
}

/** Uses a descriptor, because a `chmod` by name would follow a link that was put there in the meantime. */
function addPermissions(place: Buffer, mode: number): void {
  const fd = openSync(place, O_PATH | O_NOFOLLOW);
  try {
    chmodSync(`/proc/self/fd/${fd}`, mode & 0o777);
  } finally {
    closeSync(fd);
  }
}

function look(place: Buffer): BigIntStats | undefined {
  return attempt(() => lstatSync(place, { bigint: true, throwIfNoEntry: false }));
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    // A process in the container deleted it first, or we have no permission. The snapshot reports unreadable files.
    return undefined;
  }
}

/** The paths that were changed or removed between two scans. */
export function compareScans(before: OverlayScan, after: OverlayScan): DirectChanges {
  const changed = [...after.files]
    .filter(([path, { stamp }]) => before.files.get(path)?.stamp !== stamp)
    .map(([path, { sizeBytes }]) => ({ path, sizeBytes }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const removed = [...before.files.keys()].filter((path) => !after.files.has(path)).sort();
  return { changed, removed };
}
