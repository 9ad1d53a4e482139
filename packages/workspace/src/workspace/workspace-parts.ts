import { type Stats, statSync } from "node:fs";
import type {
  FilesystemSnapshot,
  SnapshotEdit,
  TreeChange,
  TreeEntry,
  VirtualPath,
} from "@wink/filesystem";
import { HostFilesystem, type HostRoot, openHostRoot, tolerating } from "@wink/filesystem/host";
import { HostTarget } from "../apply/host-target.js";
import { WorkspaceError } from "../error/workspace-error.js";
import type { LeftOutReason, MountLeftOut } from "../mount/host-mount.js";
import { HostIndex } from "./host-index.js";
import { readRecord } from "./read-record.js";
import { TouchedPaths } from "./touched-paths.js";
import { WorkspaceLock } from "./workspace-lock.js";
import type { WorkspacePlace } from "./workspace-place.js";
import { newRecord, saveRecord, type WorkspaceRecord } from "./workspace-record.js";

/**
 * The tag of the snapshot that the workspace is compared with. It has no name, so that models do not see it and the
 * snapshot limit does not delete it.
 */
const BASE_TAG = "what the directory has";

/** How many bases that nothing needs may stay, because deleting one reads the whole store. */
const MAX_STALE_BASES = 8;

/** The path of the files for a model, independent of the real directory. */
const MOUNT_POINT = "/workspace";

/** Files that exist may have any name, so only the system limits names. */
const LIMITS = { maxPathDepth: 1_000, maxSegmentCharacters: 255 };

/** The reasons that depend only on the names in a directory and on rules. */
const BY_NAME: ReadonlySet<LeftOutReason> = new Set([
  "excluded",
  "not-included",
  "ignored",
  "git",
  "symlink",
  "link-out",
  "special",
]);

/** The files of a workspace on disk, shared by everything that works on it. */
export class WorkspaceParts {
  readonly place: WorkspacePlace;
  readonly lock: WorkspaceLock;
  readonly touched: TouchedPaths;
  readonly index: HostIndex;
  readonly host: HostFilesystem;
  /** The user's directory. */
  readonly root: HostRoot;
  readonly target: HostTarget;
  #record: WorkspaceRecord | undefined;
  #seen = "";

  private constructor(place: WorkspacePlace, host: HostFilesystem, waitMs: number | undefined) {
    this.place = place;
    this.host = host;
    this.lock = new WorkspaceLock(place.lock, waitMs);
    this.touched = new TouchedPaths(place.touched);
    this.index = new HostIndex(place.index);
    this.root = openHostRoot(place.directory, {});
    const { dev, ino } = statSync(place.directory, { bigint: true });
    const root = { canonical: this.root.path, identity: `${dev}:${ino}` };
    const empty = "" as VirtualPath;
    this.target = new HostTarget(
      [{ root, path: empty, mountPath: empty, isDirectory: true, commitId: undefined }],
      { allowedHostRoots: [place.directory], stateDirectory: place.applied },
    );
  }

  static async open(place: WorkspacePlace, waitMs: number | undefined): Promise<WorkspaceParts> {
    const host = await HostFilesystem.open(place.files, {
      storeDirectory: place.store,
      mountPoint: MOUNT_POINT,
      limits: LIMITS,
    });
    try {
      return new WorkspaceParts(place, host, waitMs);
    } catch (error) {
      await host.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    this.root.close();
    try {
      // Rolls back open transactions.
      await this.host.close();
    } finally {
      this.lock.close();
    }
  }

  /** The current record, including changes by other processes. */
  get record(): WorkspaceRecord {
    const seen = this.#identity();
    if (this.#record === undefined || seen !== this.#seen) {
      this.#record = readRecord(this.place) ?? newRecord(this.place.directory, {});
      this.#seen = seen;
    }
    return this.#record;
  }

  /** Call it with the lock. */
  save(fields: Partial<WorkspaceRecord>): void {
    const record = { ...this.record, ...fields };
    saveRecord(this.place, record);
    this.#record = record;
    this.#seen = this.#identity();
  }

  get base(): FilesystemSnapshot {
    const { base } = this.record;
    if (base !== null) return base;
    throw new WorkspaceError("BUSY", {
      subject: "workspace",
      reason: "another process is still copying the directory. Try again when it is done.",
    });
  }

  /** Creates a new base from another one by applying these changes. */
  async edit(
    onto: FilesystemSnapshot,
    changes: readonly TreeChange[],
  ): Promise<FilesystemSnapshot> {
    if (changes.length === 0) return onto;
    const removed = changes.flatMap(({ before, after }) =>
      before !== undefined && before.path !== after?.path ? [before.path] : [],
    );
    const added = changes.flatMap(({ after }): TreeEntry[] => (after ? [after] : []));
    return await this.importBase({ onto, removed, entries: () => added });
  }

  importBase(edit: SnapshotEdit): Promise<FilesystemSnapshot> {
    return this.host.importSnapshot(edit, { tag: BASE_TAG });
  }

  snapshotBase(signal: AbortSignal | undefined): Promise<FilesystemSnapshot> {
    return this.host.snapshot({ tag: BASE_TAG, signal });
  }

  /** Deletes bases that no comparison needs, if there are many. */
  async releaseBases(): Promise<void> {
    const { base, applied } = this.record;
    const kept = new Set([base, ...applied.map((each) => each.base)].map((one) => one?.snapshotId));
    const stale = (await this.host.snapshots()).filter(
      (snapshot) => isBase(snapshot) && !kept.has(snapshot.snapshotId),
    );
    if (stale.length <= MAX_STALE_BASES) return;
    for (const snapshot of stale) await this.host.deleteSnapshot(snapshot);
  }

  /** The stat of a path of the user's directory, without following links. */
  hostStat(path: VirtualPath): Stats | undefined {
    if (path === "") return statSync(this.place.directory);
    return tolerating(
      ["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG"],
      () => this.root.inParent(path, (parent, leaf) => parent.stat(leaf)),
      undefined,
    );
  }

  /**
   * The stat of a path of the user's directory, or of an absolute path, by name. Only for a comparison with a known
   * stat: see `HostRoot.peek`.
   */
  peek(path: string): Stats | undefined {
    return this.root.peek(path as VirtualPath);
  }

  /** The stats of what decides which files are copied, besides the filter. */
  watchedStats(
    rules: Iterable<string>,
    leftOut: readonly MountLeftOut[],
  ): ReadonlyMap<string, Stats | undefined> {
    const decided = leftOut.filter(({ reason }) => !BY_NAME.has(reason)).map(({ path }) => path);
    return new Map([...rules, ...decided].map((path) => [path, this.peek(path)]));
  }

  /** The paths of the base. Directories end with `/`. */
  async basePaths(): Promise<readonly string[]> {
    const nothing = await this.host.importSnapshot({ entries: () => [] }, { tag: BASE_TAG });
    const all = await this.host.diff(nothing, this.base);
    await this.host.deleteSnapshot(nothing);
    return all
      .entries()
      .flatMap(({ after }) =>
        after ? [after.kind === "directory" ? `${after.path}/` : after.path] : [],
      );
  }

  #identity(): string {
    const stat = statSync(this.place.record, { throwIfNoEntry: false });
    return stat === undefined ? "missing" : `${stat.ino} ${stat.mtimeMs}`;
  }
}

/** Whether a snapshot belongs to the workspace itself. */
export function isBase({ name, tag }: FilesystemSnapshot): boolean {
  return name === undefined && tag === BASE_TAG;
}
