import { type BlobRef, contentIdOf, type Head, isStoreError } from "@wink/store";
import type { DriverSnapshots, SnapshottingDriver } from "../driver/driver-snapshots.js";
import { type Kept, KeptVersions } from "../memory/kept-versions.js";
import { byRevision } from "../memory/memory-entry.js";
import { MemoryTree } from "../memory/memory-tree.js";
import { TreeVersionView } from "../memory/memory-view.js";
import { addEntries, removeWithParents } from "../memory/tree-edits.js";
import { pathChanges } from "../patch/path-changes.js";
import type { FilesystemSnapshot, VerifyReport } from "../snapshots/filesystem-snapshot.js";
import type { ContentCache } from "./content-cache.js";
import type { CommittedVersion, FileCommits, SnapshotChanges } from "./file-commits.js";
import type { DecodedState, FilesState } from "./files-state.js";
import { completeState, deriveVersion, type StoredVersion } from "./load-state.js";
import { TimeOrderedIds } from "./snapshot-ids.js";
import { StoredContent } from "./stored-content.js";
import { storedDriver } from "./stored-driver.js";
import { nodesBetween } from "./tree-rows.js";

/** How many contents a check reads in one call. */
const VERIFIED_TOGETHER = 256;

/** A snapshot: a version in memory, its stored state, or both. */
export interface StoredSnapshot {
  version: StoredVersion | undefined;
  state: FilesState | undefined;
  /** The state that was read when the filesystem was opened. */
  readonly decoded: DecodedState | undefined;
}

export interface StoredSnapshotsParts {
  readonly tree: MemoryTree<StoredContent>;
  readonly head: Pick<Head, "read" | "version">;
  readonly cache: ContentCache;
  readonly clock: () => number;
  readonly rootPath: string;
}

/** The snapshots of a stored filesystem. Each is stored as an entry of the head. */
export class StoredSnapshots implements SnapshotChanges {
  readonly #parts: StoredSnapshotsParts;
  #kept: KeptVersions<StoredSnapshot>;
  readonly #ids: TimeOrderedIds;
  #storedList: readonly Kept<StoredSnapshot>[];
  #added: FilesystemSnapshot[] = [];
  #deleted: FilesystemSnapshot[] = [];
  /** `undefined` for a fork, which is only in memory. */
  #commits: FileCommits | undefined;
  #openTransactions = 0;

  /** The version of the files when they were opened. Snapshots that were not loaded yet are derived from it. */
  readonly committed: CommittedVersion;

  constructor(
    parts: StoredSnapshotsParts,
    stored: readonly Kept<StoredSnapshot>[],
    opened: CommittedVersion,
  ) {
    this.#parts = parts;
    this.committed = opened;
    const { clock, rootPath, head } = parts;
    const last = stored.at(-1)?.snapshot.snapshotId ?? "";
    this.#ids = new TimeOrderedIds(clock, () => head.version, last);
    this.#kept = new KeptVersions({ clock, rootPath }, this.#ids, stored);
    this.#storedList = stored;
  }

  set commits(commits: FileCommits) {
    this.#commits = commits;
  }

  get added(): SnapshotChanges["added"] {
    return this.#added.map((snapshot) => ({
      snapshot,
      // A new snapshot has a version.
      version: this.#kept.versionOf(snapshot).version as StoredVersion,
    }));
  }

  get deleted(): readonly FilesystemSnapshot[] {
    return this.#deleted;
  }

  stateOf({ root }: StoredVersion): FilesState | undefined {
    return this.#kept.all().find(({ version: each }) => each.version?.root === root)?.version.state;
  }

  stored(states: ReadonlyMap<StoredVersion, FilesState>): void {
    if (this.#added.length + this.#deleted.length === 0) return;
    for (const { version: each } of this.#kept.all())
      each.state ??= each.version && states.get(each.version);
    this.#storedList = this.#kept.all();
    this.#added = [];
    this.#deleted = [];
  }

  failed(): void {
    if (this.#added.length + this.#deleted.length === 0) return;
    const { clock, rootPath } = this.#parts;
    this.#kept = new KeptVersions({ clock, rootPath }, this.#ids, this.#storedList);
    this.#added = [];
    this.#deleted = [];
  }

  /** Stores the changes of a call, unless an open transaction will store them. */
  settle({ undo }: { readonly undo: boolean }): Promise<void> | undefined {
    const commits = this.#commits;
    // Records without changes of files are committed later, so that a call that changes nothing does not wait.
    if (this.#openTransactions > 0 || !commits?.hasChanges) return undefined;
    if (!undo)
      return commits.commit().catch((error: unknown) => {
        commits.revert();
        throw error;
      });
    this.failed();
    commits.revert();
    return undefined;
  }

  /** The snapshot operations of the driver. */
  operations(): DriverSnapshots {
    const { tree, clock } = this.#parts;
    const view = (version: StoredVersion) => new TreeVersionView(version, () => byRevision);
    return {
      create: (label) => this.#keep(tree.keep(), label),
      list: () => this.#kept.list(),
      restore: async (snapshot) => tree.switchTo(await this.#versionOf(snapshot)),
      delete: (snapshots) => this.#delete(snapshots),

      heldBytes: async (snapshots) => {
        const sizes = new Map<string, number>();
        for (const snapshot of snapshots)
          for (const entry of view(await this.#versionOf(snapshot)).entries())
            if (entry.kind === "file") sizes.set(entry.contentId, entry.sizeBytes);
        return [...sizes.values()].reduce((sum, sizeBytes) => sum + sizeBytes, 0);
      },

      view: async (snapshot) => view(snapshot ? await this.#versionOf(snapshot) : tree.keep()),

      add: async (entries, label, edited) => {
        const built = new MemoryTree<StoredContent>(clock());
        if (edited !== undefined) {
          built.switchTo(await this.#versionOf(edited.onto));
          for (const path of edited.removed) removeWithParents(built, path, clock());
        }
        const version = await addEntries(built, entries, clock, async (bytes) =>
          StoredContent.fresh(this.#parts.cache, await contentIdOf(bytes), bytes),
        );
        return this.#keep(version, label);
      },

      verify: () => this.#verify(),
      fork: () => this.#fork(),

      begin: () => {
        const version = tree.keep();
        this.#openTransactions++;
        const end = () => void this.#openTransactions--;
        return {
          changes: () => pathChanges(view(version), view(tree.keep())),
          commit: async () => {
            if (this.#openTransactions === 1) await this.#commits?.commit();
            end();
          },
          rollback: async () => {
            await this.#commits?.settle();
            tree.switchTo(version);
            // Usually nothing has to be stored. A commit whose outcome was unknown may have happened.
            if (this.#openTransactions === 1 && this.#commits?.hasChanges)
              await this.#commits.commit();
            end();
          },
        };
      },
    };
  }

  #keep(
    version: StoredVersion,
    label: Parameters<DriverSnapshots["create"]>[0],
  ): FilesystemSnapshot {
    const snapshot = this.#kept.keep({ version, state: undefined, decoded: undefined }, label);
    if (this.#commits !== undefined) this.#added.push(snapshot);
    return snapshot;
  }

  #delete(snapshots: readonly FilesystemSnapshot[]): void {
    this.#kept.delete(snapshots);
    for (const { snapshotId } of snapshots) {
      const isNew = this.#added.some((each) => each.snapshotId === snapshotId);
      this.#added = this.#added.filter((each) => each.snapshotId !== snapshotId);
      const stored = this.#storedList.find((each) => each.snapshot.snapshotId === snapshotId);
      if (!isNew && stored !== undefined) this.#deleted.push(stored.snapshot);
    }
  }

  async #versionOf(snapshot: FilesystemSnapshot): Promise<StoredVersion> {
    const found = this.#kept.versionOf(snapshot);
    found.version ??= await this.#load(found);
    return found.version;
  }

  async #load(found: StoredSnapshot): Promise<StoredVersion> {
    const { head, cache } = this.#parts;
    // A snapshot without a version was read from the store.
    found.state ??= await completeState(head, found.decoded as DecodedState);
    const committed = this.#commits?.committed ?? this.committed;
    return await deriveVersion(head, committed, found.state, cache);
  }

  async #verify(): Promise<VerifyReport> {
    const { head } = this.#parts;
    const checked = new Set<BlobRef>();
    const damaged: { snapshotId: string; reason: string }[] = [];
    const kept = this.#kept.all();
    for (const { snapshot, version: found } of kept)
      try {
        const { root } = await this.#versionOf(snapshot);
        const refs: BlobRef[] = found.state?.chunks.map(({ ref }) => ref) ?? [];
        for (const { node } of nodesBetween(root, "", undefined))
          if (node.kind === "file" && node.content.ref !== undefined) refs.push(node.content.ref);
        const fresh = refs.filter((ref) => !checked.has(ref));
        for (let at = 0; at < fresh.length; at += VERIFIED_TOGETHER)
          await head.read(fresh.slice(at, at + VERIFIED_TOGETHER));
        for (const ref of refs) checked.add(ref);
      } catch (error) {
        if (!isStoreError(error, "MISSING_BLOB") && !isStoreError(error, "CORRUPT_BLOB"))
          throw error;
        damaged.push({ snapshotId: snapshot.snapshotId, reason: error.reason });
      }
    return { snapshotCount: kept.length, objectCount: checked.size, damaged };
  }

  /** A fork is in memory only. It shares unchanged files with this filesystem. */
  #fork(): SnapshottingDriver {
    const tree = new MemoryTree<StoredContent>(0);
    tree.switchTo(this.#parts.tree.keep());
    const parts = { ...this.#parts, tree };
    const snapshots = new StoredSnapshots(parts, [], this.committed);
    return { ...storedDriver(parts), snapshots: snapshots.operations() };
  }
}
