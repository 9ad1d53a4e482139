import type { BlobBatch, BlobRef, Changes, HeadWriter } from "@wink/store";
import { isStoreError } from "@wink/store";
import type { MemoryTree } from "../memory/memory-tree.js";
import type { FilesystemSnapshot } from "../snapshots/filesystem-snapshot.js";
import { encodeRows, encodeState, type FilesState, mergeChanges } from "./files-state.js";
import type { StoredVersion } from "./load-state.js";
import { ManifestBuilder } from "./manifest-builder.js";
import { type PlacedRefs, type Row, rowOf } from "./node-row.js";
import type { StoredContent } from "./stored-content.js";
import { differingNodes, type KeyedNode } from "./tree-rows.js";

/** The maximum number of changed nodes next to the manifest. With more, the manifest is written again. */
const MAX_CHANGES = 128;

/** The maximum number of commits since the state was written. */
const MAX_DELTAS = 128;

/** A version of the files that is in the store. */
export interface CommittedVersion {
  readonly version: StoredVersion;
  readonly state: FilesState;
}

/** What a commit stores besides the current files. */
export interface Records extends Pick<Changes, "events" | "transcript" | "statements"> {
  readonly entries?: Readonly<Record<string, Uint8Array>> | undefined;
  /** Versions that are stored completely, and nodes whose contents are stored. */
  readonly versions?: readonly StoredVersion[] | undefined;
  readonly nodes?: readonly KeyedNode[] | undefined;
  /** Makes entries from versions and nodes, when their contents have references. */
  encode?(stored: StoredVersions): Readonly<Record<string, Uint8Array>>;
}

export interface StoredVersions {
  readonly states: ReadonlyMap<StoredVersion, FilesState>;
  /** The references of new contents, by revision. */
  readonly placed: PlacedRefs;
}

/** Stores records together with files. */
export interface RecordSource {
  /** What the next commit stores. `undefined` if there is nothing. */
  take(): Records | undefined;
  /** Called when the records that `take` returned are stored. */
  stored(): void;
  /** They are not stored. */
  failed(): void;
  /** Called if the records were too large for the store. Drops optional records and returns whether there were any. */
  shrink(): boolean;
}

/** The snapshots that the next commit adds and deletes. */
export interface SnapshotChanges {
  readonly added: readonly {
    readonly snapshot: FilesystemSnapshot;
    readonly version: StoredVersion;
  }[];
  readonly deleted: readonly FilesystemSnapshot[];
  /** The state of a version that is a stored snapshot. */
  stateOf(version: StoredVersion): FilesState | undefined;
  stored(states: ReadonlyMap<StoredVersion, FilesState>): void;
  failed(): void;
}

export const SNAPSHOT_PREFIX = "snapshot/";

interface Prepared extends StoredVersions {
  readonly version: StoredVersion;
  readonly refs: ReadonlyMap<StoredContent, BlobRef>;
}

/** Stores the changes of a tree, each time in one step. */
export class FileCommits {
  readonly #writer: HeadWriter;
  readonly #tree: MemoryTree<StoredContent>;
  readonly #snapshots: SnapshotChanges;
  #committed: CommittedVersion;
  #records: RecordSource | undefined;
  /** A commit whose outcome is unknown. */
  #doubt: Prepared | undefined;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(
    writer: HeadWriter,
    tree: MemoryTree<StoredContent>,
    snapshots: SnapshotChanges & { committed: CommittedVersion },
  ) {
    this.#writer = writer;
    this.#tree = tree;
    this.#snapshots = snapshots;
    this.#committed = snapshots.committed;
  }

  get committed(): CommittedVersion {
    return this.#committed;
  }

  /** Whether files or snapshots differ from what is stored. */
  get hasChanges(): boolean {
    const { added, deleted } = this.#snapshots;
    const isSame = this.#tree.keep().root === this.#committed.version.root;
    return !isSame || added.length + deleted.length > 0 || this.#doubt !== undefined;
  }

  /** Takes records along with every commit. */
  carry(source: RecordSource): void {
    this.#records = source;
  }

  /** Stores everything that has changed since the last commit, or nothing. If it fails, the tree stays as it is. */
  commit(): Promise<void> {
    return this.#inTurn(() => this.#commit(this.#tree.keep()));
  }

  /** Stores only records, while a transaction is changing the files. */
  commitRecords(): Promise<void> {
    return this.#inTurn(() => this.#commit(this.#committed.version));
  }

  /** Finds out what happened to a commit whose outcome is unknown. */
  settle(): Promise<void> {
    return this.#inTurn(() => this.#settle());
  }

  async #commit(given: StoredVersion): Promise<void> {
    // The version before, if only records are stored and the last commit is settled now.
    const isCurrent = given === this.#committed.version;
    if (this.#doubt !== undefined) await this.#settle();
    const version = isCurrent ? this.#committed.version : given;
    const { added, deleted } = this.#snapshots;
    const records = this.#records?.take();
    const isSame = version.root === this.#committed.version.root;
    if (isSame && added.length + deleted.length === 0 && records === undefined) return;
    try {
      const { changes, ...prepared } = await this.#prepare(version, records);
      const snapshots = added.map(({ snapshot, version: each }) => [
        SNAPSHOT_PREFIX + snapshot.snapshotId,
        encodeState(prepared.states.get(each) as FilesState, { snapshot }),
      ]);
      const set = {
        ...records?.entries,
        ...records?.encode?.(prepared),
        ...Object.fromEntries(snapshots),
      };
      const gone = deleted.map(({ snapshotId }) => SNAPSHOT_PREFIX + snapshotId);
      const { events, transcript, statements } = records ?? {};
      this.#doubt = prepared;
      const entries = { set, delete: gone };
      await this.#writer.commit({ ...changes, events, transcript, statements, entries });
      this.#doubt = undefined;
      this.#stored(prepared);
    } catch (error) {
      if (isStoreError(error, "UNKNOWN") && this.#doubt !== undefined)
        return await this.#settleDoubt(error);
      this.#doubt = undefined;
      this.#records?.failed();
      const isTooLarge = isStoreError(error, "FULL") || isStoreError(error, "TOO_LARGE");
      if (isTooLarge && this.#records?.shrink()) return await this.#commit(version);
      this.#snapshots.failed();
      throw error;
    }
  }

  async #settle(): Promise<void> {
    const doubt = this.#doubt;
    if (doubt === undefined) return;
    const happened = await this.#writer.settle();
    this.#doubt = undefined;
    if (happened) this.#stored(doubt);
    else this.#failed();
  }

  /** Makes the tree equal to the stored one. */
  revert(): void {
    this.#tree.switchTo(this.#committed.version);
  }

  async #settleDoubt(error: unknown): Promise<void> {
    const before = this.#committed;
    await this.#settle().catch(() => {
      throw error;
    });
    if (this.#committed === before) throw error;
  }

  #stored({ version, states, refs }: Prepared): void {
    for (const [content, ref] of refs) content.committed(ref);
    this.#committed = { version, state: states.get(version) as FilesState };
    this.#snapshots.stored(states);
    this.#records?.stored();
  }

  #inTurn(body: () => Promise<void>): Promise<void> {
    const result = this.#queue.then(body);
    this.#queue = result.catch(() => {});
    return result;
  }

  #failed(): void {
    this.#snapshots.failed();
    this.#records?.failed();
  }

  /** Places contents and makes the states of all versions. */
  async #prepare(
    current: StoredVersion,
    { versions = [], nodes: more = [] }: Partial<Records> = {},
  ): Promise<Prepared & { readonly changes: Changes }> {
    const { version: base, state: baseState } = this.#committed;
    const unlike = new Map<StoredVersion, readonly KeyedNode[]>();
    const added = this.#snapshots.added.map((each) => each.version);
    for (const each of [...added, ...versions, current])
      unlike.set(each, differingNodes(base.root, each.root));
    const { refs, placed, batches } = await this.#place([...more, ...[...unlike.values()].flat()]);
    const states = new Map<StoredVersion, FilesState>();
    const builder = new ManifestBuilder(this.#writer);
    let changes: Changes = {};
    for (const [each, nodes] of unlike) {
      const known = nodes.length === 0 ? baseState : this.#snapshots.stateOf(each);
      const delta = known ? undefined : deltaOf(baseState, nodes, placed);
      const state =
        known ??
        delta?.state ??
        (await builder.build(baseState, changedKeys(baseState, nodes), each, placed));
      states.set(each, state);
      if (each !== current || nodes.length === 0) continue;
      // Their number is bounded although one file may change again and again, because opening the files reads all deltas.
      const isFull = this.#writer.deltas.length >= MAX_DELTAS;
      changes =
        delta && !isFull ? { delta: encodeRows(delta.rows) } : { state: encodeState(state) };
    }
    const blobs = [...batches, ...builder.batches];
    return { version: current, states, placed, refs, changes: { ...changes, blobs } };
  }

  async #place(nodes: readonly KeyedNode[]): Promise<{
    readonly refs: ReadonlyMap<StoredContent, BlobRef>;
    readonly placed: ReadonlyMap<string, BlobRef>;
    readonly batches: readonly BlobBatch[];
  }> {
    const fresh = new Map<StoredContent, Uint8Array>();
    const batches = new Set<BlobBatch>();
    const refs = new Map<StoredContent, BlobRef>();
    for (const { node } of nodes) {
      if (node?.kind !== "file") continue;
      const { content } = node;
      if (content.fresh !== undefined) fresh.set(content, content.fresh.bytes());
      else if (content.batch !== undefined) {
        batches.add(content.batch);
        refs.set(content, content.ref as BlobRef);
      }
    }
    const placed = new Map<string, BlobRef>();
    if (fresh.size > 0) {
      const batch = await this.#writer.place(
        [...fresh].map(([{ revision }, bytes]) => ({ bytes, contentId: revision })),
      );
      batches.add(batch);
      for (const [index, content] of [...fresh.keys()].entries()) {
        const ref = batch.refs[index] as BlobRef;
        refs.set(content, ref);
        placed.set(content.revision, ref);
      }
    }
    return { refs, placed, batches: [...batches] };
  }
}

/** The changes of nodes, and the state after them. `undefined` if they are too many next to the manifest. */
function deltaOf(
  base: FilesState,
  nodes: readonly KeyedNode[],
  placed: PlacedRefs,
): { readonly rows: readonly Row[]; readonly state: FilesState } | undefined {
  if (nodes.length > MAX_CHANGES) return undefined;
  const rows = nodes.map(({ key, node }): Row => (node ? rowOf(key, node, placed) : [key]));
  const changes = mergeChanges(base.changes, rows);
  return changes.size > MAX_CHANGES ? undefined : { rows, state: { ...base, changes } };
}

/** The keys whose rows may differ from the manifest, in order. */
function changedKeys({ changes }: FilesState, nodes: readonly KeyedNode[]): readonly string[] {
  const keys = new Set(changes.keys());
  for (const { key } of nodes) keys.add(key);
  return [...keys].sort();
}
