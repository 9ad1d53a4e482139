import { closeSync, fstatSync, lstatSync, readlinkSync, type Stats } from "node:fs";
import { joinPath, ROOT, type VirtualPath } from "../../path/virtual-path.js";
import type { LeftOut } from "../../snapshots/filesystem-snapshot.js";
import { DirectoryStack } from "../containment/directory-stack.js";
import type { HostRoot } from "../containment/host-root.js";
import { type MountGuard, mountGuard } from "../containment/mount-guard.js";
import { kindOf } from "../containment/pinned-directory.js";
import { BlobReader } from "../git-store/blob-reader.js";
import type { ObjectDatabase } from "../git-store/object-database.js";
import { putTree } from "../git-store/tree-object.js";
import { errorCode, isAbsence } from "../process/from-node-error.js";
import type { CapturePolicy } from "./capture-policy.js";
import { type Found, openFrame, type ScanFrame } from "./scan-frame.js";
import {
  attributesOf,
  isCaptured,
  isSameItem,
  isSameNode,
  isSettled,
  remarksOn,
  type ScannedDirectory,
  type ScannedEntry,
  type ScannedKind,
} from "./scanned-tree.js";

export interface ScanOptions {
  readonly root: HostRoot;
  readonly objects: ObjectDatabase;
  readonly policy: CapturePolicy;
  /** The result of an earlier scan. */
  readonly previous?: ScannedDirectory | undefined;
  /** Whether objects of `previous` may have been deleted. @default false */
  readonly doubtful?: boolean | undefined;
  /** How long after its last change a file may change again without a change of its stat. */
  readonly unseenMs: number;
  /** Whether new content is stored in the object database. Otherwise only its IDs are computed. */
  readonly storing: boolean;
  /** Which directories to scan. The content of the others is taken from `previous`. @default all */
  readonly looksAt?: ((path: VirtualPath) => boolean) | undefined;
}

export interface Scan {
  readonly tree: ScannedDirectory;
  readonly leftOut: readonly LeftOut[];
  /** The paths that could not be read for lack of permissions. */
  readonly unreadable: readonly VirtualPath[];
}

/** Scans everything below the root without following links, and hashes or stores new content. */
export function* scanWorkspace(options: ScanOptions): Generator<undefined, Scan, undefined> {
  const scan = new Scanning(options);
  try {
    return yield* scan.run();
  } finally {
    scan.close();
  }
}

class Scanning {
  readonly #options: ScanOptions;
  readonly #stack: DirectoryStack<ScanFrame>;
  readonly #isForeign: MountGuard;
  readonly #reader: BlobReader;
  readonly #leftOut: LeftOut[] = [];
  readonly #unreadable: VirtualPath[] = [];

  constructor(options: ScanOptions) {
    this.#options = options;
    this.#stack = new DirectoryStack(options.root);
    this.#isForeign = mountGuard(options.root);
    this.#reader = new BlobReader(options.objects, options.storing);
  }

  close(): void {
    this.#stack.close();
  }

  *run(): Generator<undefined, Scan, undefined> {
    const { root, previous } = this.#options;
    this.#stack.push(openFrame(root, root.enter(ROOT), ROOT, "", undefined, previous));
    for (;;) {
      const frame = this.#stack.top;
      if (frame === undefined) throw new Error("the scan has no end");
      this.#keepUnchanged(frame);
      const found = frame.found[frame.next++];
      if (found !== undefined) {
        yield* this.#take(frame, found);
        continue;
      }
      const tree = this.#finish(frame);
      this.#stack.pop();
      const parent = this.#stack.top;
      if (parent === undefined)
        return { tree, leftOut: this.#leftOut, unreadable: this.#unreadable };
      this.#addDirectory(parent, frame, tree);
    }
  }

  *#take(frame: ScanFrame, found: Found): Generator<undefined, void, undefined> {
    const { name, before } = found;
    yield;
    if (before?.kind === "excluded" || (before === undefined && this.#isExcluded(frame, name)))
      return this.#leaveOut(frame, found, "excluded");
    if (before === undefined && found.kind === "file") return yield* this.#takeFile(frame, found);

    const stat = lstatSync(this.#stack.current().pathOf(name), { throwIfNoEntry: false });
    if (stat === undefined) return this.#miss(frame);
    const kind = kindOf(stat);
    if (kind === "directory") return this.#enter(frame, found);
    if (before?.settled && isSameNode(before, stat) && this.#isThere(before))
      return this.#keep(frame, before);
    if (kind === "file") return yield* this.#takeFile(frame, found);
    if (kind === "symlink") return this.#takeLink(frame, found, stat);
    this.#leaveOut(frame, found, "special");
  }

  /**
   * Skips files that have not changed, which takes most of the time of a scan.
   *
   * They are read with `lstat` by their plain paths, which is twice as fast. Another process may redirect such a
   * path, but only the file itself can have an equal stat. If the stat differs, the file is read again through the
   * open directory. No file is opened by its plain path.
   */
  #keepUnchanged(frame: ScanFrame): void {
    const { plainPrefix, found } = frame;
    if (plainPrefix === undefined) return;
    const end = Math.min(found.length, frame.next + MAX_BATCH_FILES);
    try {
      for (; frame.next < end; frame.next++) {
        const before = found[frame.next]?.before;
        if (before === undefined || !before.settled) return;
        const stat = lstatSync(plainPrefix + before.name, NO_THROW);
        if (stat === undefined || !isSameNode(before, stat) || !this.#isThere(before)) return;
        this.#keep(frame, before);
      }
    } catch (error) {
      if (!UNREACHED.includes(errorCode(error) ?? "")) throw error;
    }
  }

  #isExcluded({ path }: ScanFrame, name: string): boolean {
    return this.#options.policy.excludes(joinPath(path, name));
  }

  /** Whether the object that an earlier scan named exists in the store, if it is needed. */
  #isThere({ id, stored }: { readonly id: string; readonly stored: boolean }): boolean {
    const { storing, doubtful, objects } = this.#options;
    if (id === "" || !storing) return true;
    return stored && (!doubtful || objects.has(id));
  }

  #keep(frame: ScanFrame, entry: ScannedEntry): void {
    frame.entries.push(entry);
    if (!isCaptured(entry.kind)) this.#report(joinPath(frame.path, entry.name), entry.kind);
  }

  #report(path: VirtualPath, reason: LeftOut["reason"]): void {
    this.#leftOut.push({ path, reason });
  }

  #leaveOut(frame: ScanFrame, { name, before }: Found, kind: LeftOut["reason"]): void {
    this.#report(joinPath(frame.path, name), kind);
    this.#add(frame, this.#entry(name, kind, "", NOTHING, false), before);
  }

  #miss(frame: ScanFrame): void {
    frame.changed = true;
  }

  *#takeFile(frame: ScanFrame, found: Found): Generator<undefined, void, undefined> {
    const { name, before } = found;
    const lookedAtMs = Date.now();
    try {
      const fd = this.#options.root.openLeaf(this.#stack.current(), name);
      try {
        const stat = fstatSync(fd);
        // The node has changed its kind since it was listed.
        if (!stat.isFile()) return this.#leaveOut(frame, found, "special");
        if (stat.size > this.#options.policy.maxFileBytes)
          return this.#leaveOut(frame, found, "too-large");
        const id = yield* this.#reader.read(fd, stat);
        const settled = isSettled(stat.ctimeMs, lookedAtMs, this.#options.unseenMs);
        this.#add(frame, this.#entry(name, fileKind(stat), id, stat, settled), before);
      } finally {
        closeSync(fd);
      }
    } catch (error) {
      this.#fail(frame, name, error);
    }
  }

  #takeLink(frame: ScanFrame, { name, before }: Found, stat: Stats): void {
    const lookedAtMs = Date.now();
    try {
      const target = readlinkSync(this.#stack.current().pathOf(name), { encoding: "buffer" });
      const id = this.#reader.take("blob", target);
      const settled = isSettled(stat.ctimeMs, lookedAtMs);
      this.#add(frame, this.#entry(name, "symlink", id, stat, settled), before);
    } catch (error) {
      this.#fail(frame, name, error);
    }
  }

  #add(frame: ScanFrame, entry: ScannedEntry, before: ScannedEntry | undefined): void {
    if (before === undefined || !isSameItem(before, entry)) frame.changed = true;
    frame.entries.push(entry);
  }

  #enter(frame: ScanFrame, found: Found): void {
    const { name, before } = found;
    const path = joinPath(frame.path, name);
    const { root, looksAt } = this.#options;
    if (before?.directory !== undefined && looksAt !== undefined && !looksAt(path)) {
      frame.entries.push(before);
      return;
    }
    try {
      const directory = root.openDirectory(this.#stack.current(), name);
      const next = root.orLeave(directory, () =>
        this.#isForeign(directory) ? undefined : openFrame(root, directory, path, name, before),
      );
      if (next !== undefined) {
        this.#stack.push(next);
        return;
      }
      root.leave(directory);
      // Another mount is not part of this workspace.
      this.#leaveOut(frame, found, "excluded");
    } catch (error) {
      this.#fail(frame, name, error);
    }
  }

  /**
   * Handles an error of one entry. An entry that was deleted or replaced is skipped. An unreadable one is reported.
   */
  #fail(frame: ScanFrame, name: string, error: unknown): void {
    frame.changed = true;
    const code = errorCode(error);
    if (isAbsence(error) || code === "ELOOP") return;
    if (code !== "EACCES" && code !== "EPERM") throw error;
    this.#unreadable.push(joinPath(frame.path, name));
    const stat = lstatSync(this.#stack.current().pathOf(name), { throwIfNoEntry: false });
    if (stat === undefined) return;
    const kind = stat.isDirectory() ? "directory" : fileKind(stat);
    frame.entries.push(this.#entry(name, kind, "", stat, false));
  }

  #finish(frame: ScanFrame): ScannedDirectory {
    const { stat, settled, before, entries } = frame;
    const unchanged = !frame.changed && entries.length === before?.entries.length;
    const reusable = unchanged && this.#isThere({ id: before.treeId, stored: before.stored });
    const { dev, ino, mtimeMs, ctimeMs } = stat;
    const treeId = reusable ? before.treeId : this.#putTree(entries);
    const stored = this.#options.storing || (reusable && before.stored);
    return { dev, ino, mtimeMs, ctimeMs, settled, entries, treeId, stored, ...remarksOn(entries) };
  }

  #putTree(entries: readonly ScannedEntry[]): string {
    const { namesEscaped } = this.#options.policy;
    // In the user's own repository a side record would look like one of their files.
    const attributesFor = namesEscaped === "refused" ? () => undefined : attributesOf;
    const items = entries.flatMap((entry) => {
      const { name, kind, id } = entry;
      return isCaptured(kind) && id !== "" ? [{ name, kind, id, ...attributesFor(entry) }] : [];
    });
    return putTree((type, content) => this.#reader.take(type, content), items, namesEscaped);
  }

  #addDirectory(parent: ScanFrame, frame: ScanFrame, directory: ScannedDirectory): void {
    const { name, stat, entryBefore } = frame;
    const entry = this.#entry(name, "directory", directory.treeId, stat, false);
    this.#add(parent, { ...entry, directory }, entryBefore);
  }

  #entry(
    name: string,
    kind: ScannedKind,
    id: string,
    { dev, ino, size, mode, mtimeMs, ctimeMs }: Stats,
    settled: boolean,
  ): ScannedEntry {
    const stored = this.#options.storing;
    return { name, kind, id, dev, ino, size, mode, mtimeMs, ctimeMs, settled, stored };
  }
}

function fileKind({ mode }: Stats): ScannedKind {
  return (mode & 0o100) !== 0 ? "executable" : "file";
}

/** The batch size: after this many files the scan may yield to the event loop. */
const MAX_BATCH_FILES = 100;
const NO_THROW = { throwIfNoEntry: false } as const;
const UNREACHED = ["EACCES", "ENOTDIR", "ELOOP", "ENAMETOOLONG"];
const NOTHING = { dev: 0, ino: 0, size: 0, mode: 0, mtimeMs: 0, ctimeMs: 0 } as Stats;
