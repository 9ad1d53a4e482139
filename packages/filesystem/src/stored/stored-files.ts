import {
  type BlobRef,
  type Head,
  type HeadWriter,
  StoreError,
  type SweepReport,
  type SweepRoot,
} from "@wink/store";
import type { SnapshottingDriver } from "../driver/driver-snapshots.js";
import type { Kept } from "../memory/kept-versions.js";
import type { MemoryTree } from "../memory/memory-tree.js";
import { ContentCache } from "./content-cache.js";
import { FileCommits, SNAPSHOT_PREFIX } from "./file-commits.js";
import { decodeState, type FilesState } from "./files-state.js";
import { loadState, loadTree, rowsOf, type StoredVersion } from "./load-state.js";
import { refOfRow } from "./node-row.js";
import type { StoredContent } from "./stored-content.js";
import { storedDriver } from "./stored-driver.js";
import { type StoredSnapshot, StoredSnapshots } from "./stored-snapshots.js";
import { STATE_PREFIX, StoredStates } from "./stored-states.js";

export interface StoredFilesOptions {
  readonly clock: () => number;
  readonly cacheBytes: number;
  readonly rootPath: string;
}

/** The files of a head that is open. */
export class StoredFiles {
  readonly head: Head;
  readonly driver: SnapshottingDriver;
  /** `undefined` for files that are read only. */
  readonly commits: FileCommits | undefined;
  /** The states of a run. They are not loaded. */
  readonly states: StoredStates;
  readonly #writer: HeadWriter | undefined;
  readonly #tree: MemoryTree<StoredContent>;

  private constructor(
    head: Head,
    writer: HeadWriter | undefined,
    parts: Pick<StoredFiles, "driver" | "commits" | "states"> & {
      readonly tree: MemoryTree<StoredContent>;
    },
  ) {
    this.head = head;
    this.#writer = writer;
    this.driver = parts.driver;
    this.commits = parts.commits;
    this.states = parts.states;
    this.#tree = parts.tree;
  }

  /** The files as they are now, also in a transaction. */
  get version(): StoredVersion {
    return this.#tree.keep();
  }

  static async open(
    head: Head,
    writer: HeadWriter | undefined,
    { clock, cacheBytes, rootPath }: StoredFilesOptions,
  ): Promise<StoredFiles> {
    const cache = new ContentCache(head, cacheBytes);
    const [{ state, tree }, entries] = await Promise.all([
      load(head, cache, clock()),
      head.entries({ prefix: SNAPSHOT_PREFIX }),
    ]);
    const stored = [...entries.values()].map(keptSnapshot).sort(byId);
    const snapshots = new StoredSnapshots({ tree, head, cache, clock, rootPath }, stored, {
      version: tree.keep(),
      state,
    });
    const commits = writer && new FileCommits(writer, tree, snapshots);
    if (commits !== undefined) snapshots.commits = commits;
    const placeStream =
      writer && ((source: AsyncIterable<Uint8Array>) => writer.placeStream(source));
    let isClosed = false;
    const driver = {
      ...storedDriver({ tree, cache, clock, placeStream }),
      snapshots: snapshots.operations(),
      settle: (options: { readonly undo: boolean }) =>
        isClosed ? undefined : snapshots.settle(options),
      async close() {
        if (isClosed) return;
        await snapshots.settle({ undo: false });
        isClosed = true;
        await writer?.close();
      },
    };
    const states = new StoredStates(head, cache);
    return new StoredFiles(head, writer, { driver, commits, states, tree });
  }

  async sweep(): Promise<SweepReport> {
    if (this.#writer === undefined)
      throw new StoreError("ARGUMENT_INVALID", "sweep", "the files are open for reading only");
    return await this.#writer.sweep((root) => refsOf(this.head, root));
  }
}

async function load(head: Head, cache: ContentCache, nowMs: number) {
  const state = await loadState(head, head.state, head.deltas);
  return { state, tree: await loadTree(head, state, cache, nowMs) };
}

function keptSnapshot(bytes: Uint8Array): Kept<StoredSnapshot> {
  const decoded = decodeState(bytes);
  if (decoded.snapshot === undefined) throw new StoreError("CORRUPT_BLOB", "snapshot");
  const snapshot = Object.freeze(decoded.snapshot);
  return { snapshot, version: { version: undefined, state: undefined, decoded } };
}

function byId(a: Kept<StoredSnapshot>, b: Kept<StoredSnapshot>): number {
  return a.snapshot.snapshotId < b.snapshot.snapshotId ? -1 : 1;
}

/** Every reference that the files and snapshots of a head contain. */
async function* refsOf(
  head: Pick<Head, "read">,
  { state, deltas, entries }: SweepRoot,
): AsyncGenerator<BlobRef> {
  yield* refsOfState(head, await loadState(head, state, deltas));
  for (const [name, bytes] of entries)
    if (name.startsWith(SNAPSHOT_PREFIX) || name.startsWith(STATE_PREFIX))
      yield* refsOfState(head, await loadState(head, bytes, []));
}

async function* refsOfState(
  head: Pick<Head, "read">,
  { chunks, index, changes }: FilesState,
): AsyncGenerator<BlobRef> {
  if (index !== undefined) yield index;
  for (const row of changes.values()) yield* refsIn(row);
  const refs = chunks.map(({ ref }) => ref);
  yield* refs;
  const contents = await head.read(refs);
  for (const chunk of chunks) for (const row of rowsOf(contents, chunk)) yield* refsIn(row);
}

function refsIn(row: Parameters<typeof refOfRow>[0]): readonly BlobRef[] {
  const ref = refOfRow(row);
  return ref === undefined ? [] : [ref];
}
