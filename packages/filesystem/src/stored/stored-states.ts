import { type BlobRef, contentIdOf, type Head, StoreError } from "@wink/store";
import { byRevision, entriesBelow, entryOf } from "../memory/memory-entry.js";
import { MemoryTree } from "../memory/memory-tree.js";
import { TreeVersionView } from "../memory/memory-view.js";
import { addEntries } from "../memory/tree-edits.js";
import { compareTrees } from "../patch/compare-trees.js";
import type { VirtualPath } from "../path/virtual-path.js";
import type { ChangeSet } from "../snapshots/change-set.js";
import type { PathChange } from "../snapshots/path-change.js";
import type { TreeEntry } from "../snapshots/tree-view.js";
import { ContentCache } from "./content-cache.js";
import type { StoredVersions } from "./file-commits.js";
import {
  decodeIndex,
  decodeState,
  encodeState,
  type FilesState,
  sortedRows,
} from "./files-state.js";
import type { StoredVersion } from "./load-state.js";
import { decodeChunk } from "./manifest.js";
import { applyRows, putRow, type Row, rowOf } from "./node-row.js";
import { StoredContent } from "./stored-content.js";
import { differingNodes, type KeyedNode } from "./tree-rows.js";

export const STATE_PREFIX = "state/";
/** A state with more changes, or at the end of a longer chain, is stored completely. */
const MAX_CHANGES = 128;
const MAX_CHAIN = 64;
const READ_CACHE_BYTES = 64 * 1024 * 1024;

/** A state as it is stored: complete, or as the changes since another one. */
interface StoredState {
  readonly after: string | undefined;
  readonly rows: readonly Row[];
  /** Set only for a complete state. */
  readonly state: FilesState | undefined;
  /** How many states must be read to know this one. */
  readonly chain: number;
}

type ChangedPath = Pick<PathChange, "path" | "after">;

interface NewState {
  readonly id: string;
  readonly version: StoredVersion;
  readonly after: { readonly id: string; readonly nodes: readonly KeyedNode[] } | undefined;
}

/**
 * The states that the files of a run had, each with an id. A state is an entry of the head: the changes since the state
 * before it, or a manifest.
 */
export class StoredStates {
  /** The names of the entries with states begin with it. */
  static readonly prefix: string = STATE_PREFIX;
  readonly #head: Head;
  readonly #cache: ContentCache;
  readonly #states = new Map<string, StoredState>();
  readonly #chunks = new Map<BlobRef, Uint8Array>();
  /** The trees of states, the last used last. */
  readonly #versions = new Map<string, StoredVersion>();
  #added: NewState[] = [];
  #sent: NewState[] = [];
  /** The ids of dropped states. The next state after one of them is stored completely, not as changes. */
  readonly #dropped = new Set<string>();

  constructor(head: Head, cache: ContentCache) {
    this.#head = head;
    this.#cache = cache;
  }

  /** The states of a head that is only read. */
  static ofHead(head: Head): StoredStates {
    return new StoredStates(head, new ContentCache(head, READ_CACHE_BYTES));
  }

  /** Reads the states that the head has by now. */
  async load(head: Head = this.#head): Promise<void> {
    const entries = await head.entries({ prefix: STATE_PREFIX });
    const wanted = new Set<BlobRef>();
    for (const [name, bytes] of entries) {
      const id = name.slice(STATE_PREFIX.length);
      if (this.#states.has(id)) continue;
      const decoded = decodeState(bytes);
      const { after, changes: rows } = decoded;
      const state = after === undefined ? await this.#complete(head, decoded) : undefined;
      for (const { ref } of state?.chunks ?? []) if (!this.#chunks.has(ref)) wanted.add(ref);
      this.#states.set(id, { after, rows, state, chain: 0 });
    }
    for (const [ref, bytes] of await head.read([...wanted])) this.#chunks.set(ref, bytes);
  }

  has(id: string): boolean {
    return this.#states.has(id) || this.#pending.some((each) => each.id === id);
  }

  /** The state of a version of the files. Returns the id of `after` if it is the same. */
  keep(version: StoredVersion, after: string | undefined): string {
    const before = after === undefined ? undefined : this.version(after);
    if (before?.root === version.root) return after as string;
    const nodes = before && differingNodes(before.root, version.root);
    if (nodes?.length === 0) return after as string;
    const id = crypto.randomUUID();
    const isComplete =
      nodes === undefined ||
      nodes.length > MAX_CHANGES ||
      this.#dropped.has(after as string) ||
      this.#chainOf(after) >= MAX_CHAIN;
    const since = isComplete ? undefined : { id: after as string, nodes };
    this.#added.push({ id, version, after: since });
    this.#remember(id, version);
    return id;
  }

  /** The state `from` with these changes. */
  async add(
    from: string | undefined,
    changes: Iterable<ChangedPath> | AsyncIterable<ChangedPath>,
    current?: StoredVersion,
  ): Promise<string> {
    const tree = new MemoryTree<StoredContent>(0);
    if (from !== undefined) tree.switchTo(this.version(from));
    const known = new MemoryTree<StoredContent>(0);
    if (current !== undefined) known.switchTo(current);
    for await (const { path, after } of changes) {
      // Changes of a transaction have normal paths.
      const place = path as VirtualPath;
      if (after === undefined) {
        tree.remove(place, undefined);
        continue;
      }
      const node = known.find(place);
      const content = node?.kind === "file" ? node.content : undefined;
      const entry: TreeEntry = { ...after, path: place, contentId: "", read: () => after.read() };
      await addEntries(tree, [entry], Date.now, async (bytes) => {
        const id = await contentIdOf(bytes);
        return content?.revision === id ? content : StoredContent.fresh(this.#cache, id, bytes);
      });
    }
    return this.keep(tree.keep(), from);
  }

  entries(id: string): Iterable<TreeEntry> {
    return entriesBelow(this.version(id).root, "" as VirtualPath, byRevision);
  }

  /** The node at a path, and everything below it. */
  *entriesAt(id: string, path: string): Generator<TreeEntry> {
    const tree = new MemoryTree<StoredContent>(0);
    tree.switchTo(this.version(id));
    const node = tree.find(path as VirtualPath);
    if (node === undefined) return;
    if (path !== "") yield entryOf(path as VirtualPath, node, byRevision);
    if (node.kind === "directory") yield* entriesBelow(node, path as VirtualPath, byRevision);
  }

  diff(from: string, to: string): Promise<ChangeSet> {
    const view = (id: string) => new TreeVersionView(this.version(id), () => byRevision);
    return compareTrees(view(from), view(to));
  }

  /** Whether there are states that are not stored. */
  get isPending(): boolean {
    return this.#added.length > 0;
  }

  /** What the next commit stores. */
  take(): {
    readonly versions: readonly StoredVersion[];
    readonly nodes: readonly KeyedNode[];
    encode(stored: StoredVersions): Record<string, Uint8Array>;
  } {
    this.#sent = this.#added;
    this.#added = [];
    const sent = this.#sent;
    return {
      versions: sent.filter(({ after }) => after === undefined).map(({ version }) => version),
      nodes: sent.flatMap(({ after }) => after?.nodes ?? []),
      encode: (stored) =>
        Object.fromEntries(sent.map((each) => [STATE_PREFIX + each.id, encode(each, stored)])),
    };
  }

  stored(): void {
    for (const { id, after } of this.#sent)
      this.#states.set(id, {
        after: after?.id,
        rows: [],
        state: undefined,
        chain: after === undefined ? 0 : this.#chainOf(after.id) + 1,
      });
    this.#sent = [];
  }

  failed(): void {
    this.#added = [...this.#sent, ...this.#added];
    this.#sent = [];
  }

  /** Forgets the states that are not stored. Returns whether there were any. */
  drop(): boolean {
    const hadAny = this.#pending.length > 0;
    for (const { id } of this.#pending) this.#dropped.add(id);
    this.#added = [];
    this.#sent = [];
    return hadAny;
  }

  /** The tree of a state. */
  version(id: string): StoredVersion {
    const known = this.#versions.get(id) ?? this.#pending.find((each) => each.id === id)?.version;
    if (known !== undefined) return known;
    const stored = this.#states.get(id);
    if (stored === undefined) throw new StoreError("LOST", "state");
    const version = stored.state ? this.#build(stored.state) : this.#derive(stored);
    this.#remember(id, version);
    return version;
  }

  get #pending(): readonly NewState[] {
    return [...this.#sent, ...this.#added];
  }

  #derive({ after, rows }: StoredState): StoredVersion {
    const tree = new MemoryTree<StoredContent>(0);
    if (after === undefined) throw new StoreError("CORRUPT_BLOB", "state");
    tree.switchTo(this.version(after));
    applyRows(tree, rows, this.#cache);
    return tree.keep();
  }

  #build({ chunks, changes }: FilesState): StoredVersion {
    const tree = new MemoryTree<StoredContent>(0);
    for (const { ref } of chunks) {
      const bytes = this.#chunks.get(ref);
      if (bytes === undefined) throw new StoreError("MISSING_BLOB", "state");
      for (const row of decodeChunk(bytes)) putRow(tree, row, this.#cache);
    }
    applyRows(tree, sortedRows(changes), this.#cache);
    return tree.keep();
  }

  #remember(id: string, version: StoredVersion): void {
    this.#versions.set(id, version);
  }

  #chainOf(id: string | undefined): number {
    const pending = this.#pending.find((each) => each.id === id);
    if (pending !== undefined)
      return pending.after === undefined ? 0 : 1 + this.#chainOf(pending.after.id);
    const stored = id === undefined ? undefined : this.#states.get(id);
    if (stored === undefined) return 0;
    return stored.after === undefined ? stored.chain : 1 + this.#chainOf(stored.after);
  }

  async #complete(
    head: Pick<Head, "read">,
    { chunks, index, changes }: ReturnType<typeof decodeState>,
  ): Promise<FilesState> {
    const all = new Map(changes.map((row) => [row[0], row]));
    if (index === undefined) return { chunks, index, changes: all };
    const list = (await head.read([index])).get(index) as Uint8Array;
    return { chunks: decodeIndex(list), index, changes: all };
  }
}

function encode({ version, after }: NewState, { states, placed }: StoredVersions): Uint8Array {
  if (after === undefined) return encodeState(states.get(version) as FilesState);
  const rows = after.nodes.map(({ key, node }): Row => (node ? rowOf(key, node, placed) : [key]));
  const changes = new Map(rows.map((row) => [row[0], row]));
  return encodeState({ chunks: [], index: undefined, changes }, { after: after.id });
}
