import { compareTrees } from "../../patch/compare-trees.js";
import type { ChangeSet } from "../../snapshots/change-set.js";
import { SnapshotError } from "../../snapshots/snapshot-error.js";
import type { TreeEntry } from "../../snapshots/tree-view.js";
import { readTar } from "../../tar/tar.js";
import { fromStoreError } from "../git-store/from-store-error.js";
import { ObjectDatabase } from "../git-store/object-database.js";
import { SHA1 } from "../git-store/object-format.js";
import { RefFiles } from "../git-store/ref-files.js";
import { encodeStateCommit, treeOfCommit } from "../git-store/state-commit.js";
import { openLayout, type StoreLayout } from "../git-store/store-layout.js";
import { leafOf, TreeBuilder } from "../git-store/tree-builder.js";
import { requireHostPath, requireOptions } from "../process/check-arguments.js";
import { underLease } from "../process/lease.js";
import { ProcessLock } from "../process/process-lock.js";
import { isPlaceable, putContent, StoreView } from "./store-view.js";

/** The references of runs. Each leads to the newest state of a run, and its parents are the earlier ones. */
export const RUNS = "refs/wink/runs/";

/** A changed path of a state: the node that is there now, or `undefined` if nothing is. */
export interface StateChange {
  readonly path: string;
  readonly after: Omit<TreeEntry, "contentId"> | undefined;
}

/**
 * The states of files on disk, each a git tree with an ID. It needs no workspace and takes no lock for reading, so the
 * states of a run can be read while the run is active and after its workspace was deleted.
 */
export class TreeStore {
  /**
   * Opens the store in `directory`, or creates one. With `fsync`, states are flushed to disk before they are reported as
   * stored. @throws SnapshotError `INVALID_STORE`
   */
  static open(
    directory: string,
    options: { readonly fsync?: boolean | undefined } = {},
  ): TreeStore {
    requireHostPath(directory, "TreeStore.open");
    requireOptions(options, { fsync: true }, "TreeStore.open");
    return new TreeStore(directory, openLayout(undefined, directory), options);
  }

  /** Opens an existing store for reading. Creates and locks nothing. */
  static read(directory: string): TreeStore {
    requireHostPath(directory, "TreeStore.read");
    return new TreeStore(directory, undefined, {});
  }

  readonly directory: string;
  readonly #layout: StoreLayout | undefined;
  readonly #objects: ObjectDatabase;
  readonly #refs: RefFiles;
  readonly #collector: ProcessLock | undefined;

  private constructor(
    directory: string,
    layout: StoreLayout | undefined,
    { fsync = false }: { readonly fsync?: boolean | undefined },
  ) {
    this.directory = layout?.directory ?? directory;
    this.#layout = layout;
    const options = { format: SHA1, fsync };
    this.#objects = new ObjectDatabase(`${this.directory}/objects`, options);
    this.#refs = new RefFiles(this.directory, options);
    this.#collector = layout && new ProcessLock(`${layout.locks}/collector`);
  }

  close(): void {
    this.#objects.close();
  }

  /** The tree of a snapshot's `commitRef`, or `undefined` if the snapshot is in another store. */
  treeOf(commitRef: string): string | undefined {
    if (!/^[0-9a-f]{40}$/.test(commitRef) || !this.#objects.has(commitRef)) return undefined;
    const object = this.#objects.read(commitRef);
    return object?.type === "commit" ? treeOfCommit(object.content) : undefined;
  }

  /** Whether the state is in the store. */
  has(treeId: string): boolean {
    return this.#objects.read(treeId)?.type === "tree";
  }

  /**
   * Stores the state `from` with these changes, in their order, as the newest state of a run. Returns its ID. Only the
   * directories of changed paths are read and written.
   *
   * @param from the earlier state; no files if `undefined`
   */
  async add(
    run: string,
    from: string | undefined,
    changes: Iterable<StateChange> | AsyncIterable<StateChange>,
    subject: string,
  ): Promise<string> {
    const [layout, collector] = [this.#layout, this.#collector];
    if (layout === undefined || collector === undefined)
      throw new SnapshotError("INVALID_STORE", { reason: "the store is open for reading" });
    try {
      return await underLease(layout.leases, collector, async () => {
        try {
          const treeId = await this.#build(from, changes);
          const parent = this.#refs.read(RUNS + run);
          const commit = encodeStateCommit({ treeId, parent, subject, createdAtMs: Date.now() });
          const commitId = this.#objects.put("commit", commit);
          this.#objects.settle();
          this.#refs.write(RUNS + run, commitId);
          return treeId;
        } catch (error) {
          this.#objects.discard();
          throw error;
        }
      });
    } catch (error) {
      throw fromStoreError(error, "state");
    }
  }

  /** Stores a state from a tar archive, such as that of `exportSnapshot`. */
  addArchive(run: string, archive: AsyncIterable<Uint8Array>, subject: string): Promise<string> {
    return this.add(run, undefined, changesOf(readTar(archive)), subject);
  }

  /** Every node of a state, each directory before its content. Contents are read lazily. */
  entries(treeId: string): Iterable<TreeEntry> {
    return new StoreView(this.#objects, treeId).entries();
  }

  /** The node at a path and everything below it. Nothing if the path is not in the state. */
  entriesAt(treeId: string, path: string): Iterable<TreeEntry> {
    // A path that is not normal names no entry of a tree.
    return new StoreView(this.#objects, treeId).entriesAt([path as TreeEntry["path"]]);
  }

  /** The changes between two states. Directories that are equal on both sides are not read. */
  diff(from: string, to: string): Promise<ChangeSet> {
    return compareTrees(new StoreView(this.#objects, from), new StoreView(this.#objects, to));
  }

  async #build(
    from: string | undefined,
    changes: Iterable<StateChange> | AsyncIterable<StateChange>,
  ): Promise<string> {
    const root = new TreeBuilder(this.#objects, from);
    for await (const { path, after } of changes) {
      if (!isPlaceable(path)) throw new SnapshotError("INVALID_ARCHIVE", { paths: [path] });
      const segments = path.split("/");
      if (after === undefined) root.remove(segments);
      else if (after.kind === "directory") root.open(segments).set(after);
      else {
        const id = await putContent(this.#objects, after);
        root.open(segments.slice(0, -1)).put(segments.at(-1) ?? "", leafOf(after, id));
      }
    }
    return root.store();
  }
}

async function* changesOf(entries: AsyncIterable<TreeEntry>): AsyncGenerator<StateChange> {
  for await (const entry of entries) yield { path: entry.path, after: entry };
}
