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

/** What a look at the whole workspace found. */
export interface OverlayScan {
  /** For each file and link: its size, and what is another text once it was touched. */
  readonly files: ReadonlyMap<string, ScannedFile>;
  readonly totalBytes: number;
  /** Files, directories and everything else. */
  readonly count: number;
}

export interface ScannedFile {
  readonly sizeBytes: number;
  readonly stamp: string;
}

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
/** Linux's flag for opening a mere place, which needs no permissions. Node does not name it. */
const O_PATH = 0x20_0000;
/** Each level holds a descriptor. No tool makes anything so deep; what a command buries deeper is still undone. */
const DEEPEST = 200;
const SLICE_MS = 10;

/**
 * Looks at every file, over open directories and no link.
 *
 * On the way everything is made over to the user of the container, where this process may do
 * that, and otherwise what this user cannot read any more is made readable: both sides can work on
 * everything, whoever made it.
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
      // Gone meanwhile.
      if (stat === undefined) continue;
      this.count++;
      const below = path === "" ? name.toString() : `${path}/${name.toString()}`;
      if (stat.isDirectory()) await this.#descend(place, below, depth + 1);
      else if (stat.isFile() || stat.isSymbolicLink()) this.#note(below, stat);
    }
  }

  async #descend(place: Buffer, path: string, depth: number): Promise<void> {
    if (depth > DEEPEST) return;
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

/** A command can shut the workspace itself, and then neither the next one nor the tools would get in. */
function reopen(root: Buffer): void {
  const mode = Number(look(root)?.mode ?? 0o700);
  if ((mode & 0o700) !== 0o700) attempt(() => addPermissions(root, mode | 0o700));
}

/** Opens the place first: by name, a link put there meanwhile would have its target changed. */
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
    // Somebody in the container was quicker, or it is not ours. The snapshot says what cannot be read.
    return undefined;
  }
}

/** What was touched between two looks, by path. */
export function compareScans(before: OverlayScan, after: OverlayScan): DirectChanges {
  const changed = [...after.files]
    .filter(([path, { stamp }]) => before.files.get(path)?.stamp !== stamp)
    .map(([path, { sizeBytes }]) => ({ path, sizeBytes }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const removed = [...before.files.keys()].filter((path) => !after.files.has(path)).sort();
  return { changed, removed };
}
