import type { FileContent } from "../content/file-content.js";
import type { WalkEntry, WalkOptions } from "../driver/driver-accelerators.js";
import type { MemoryDirectory } from "../memory/memory-node.js";
import { type MemoryWalkEntry, walkMemory } from "../memory/memory-walk.js";
import type { VirtualPath } from "../path/virtual-path.js";
import type { GlobMatch } from "../protocol/filesystem.js";
import type { MaybePromise } from "../protocol/maybe-promise.js";
import type { StoredContent } from "./stored-content.js";

/** How many bytes are fetched in one call. */
const WINDOW_BYTES = 8 * 1024 * 1024;

type Entry = MemoryWalkEntry<StoredContent>;

/** Everything below a directory, in walk order. The first content that is not in memory is fetched with those after it. */
export function* walkStored(
  directory: MemoryDirectory<StoredContent>,
  base: VirtualPath,
  enter: (path: VirtualPath) => boolean,
  options: WalkOptions,
): Generator<WalkEntry, void, void> {
  const ahead = new LoadAhead(walkMemory(directory, base, enter), options.select);
  for (const entry of walkMemory(directory, base, enter, options))
    yield entry.kind === "file" ? new StoredWalkEntry(entry, ahead) : entry;
}

/** Fetches the contents of a walk before they are asked for, many in one call. */
class LoadAhead {
  readonly #entries: Iterator<Entry, void, void>;
  readonly #select: (path: VirtualPath) => boolean;
  /** Held here, because the cache may be smaller than the window. */
  readonly #loading = new Map<Entry, MaybePromise<FileContent>>();
  /** The first entry that did not fit into the window. */
  #next: Entry | undefined;

  constructor(
    entries: Iterator<Entry, void, void>,
    select: (path: VirtualPath) => boolean = () => true,
  ) {
    this.#entries = entries;
    this.#select = select;
  }

  load(entry: Entry, content: StoredContent, maxBytes: number): MaybePromise<FileContent> {
    const started = this.#loading.get(entry);
    this.#loading.delete(entry);
    if (started !== undefined) return started;
    if (content.loaded !== undefined) return content.loaded;
    this.#fillWindow(entry, maxBytes);
    const loading = this.#loading.get(entry) ?? content.load();
    this.#loading.delete(entry);
    return loading;
  }

  #fillWindow(entry: Entry, maxBytes: number): void {
    // The walk has passed these files, so their contents are no longer needed.
    this.#loading.clear();
    let bytes = 0;
    let isReached = false;
    for (;;) {
      const value = this.#next ?? this.#entries.next().value;
      this.#next = undefined;
      if (!value) return;
      isReached ||= value === entry;
      const { node, path } = value;
      if (!isReached || node.kind !== "file" || node.content.sizeBytes > maxBytes) continue;
      if (value !== entry && !this.#select(path)) continue;
      const isLoaded = node.content.loaded !== undefined;
      bytes += isLoaded ? 0 : node.content.sizeBytes;
      if (bytes > WINDOW_BYTES && value !== entry) {
        this.#next = value;
        return;
      }
      const loading = node.content.load();
      // A failure is reported to the caller that asks for this content.
      if (loading instanceof Promise) loading.catch(() => {});
      this.#loading.set(value, loading);
    }
  }
}

class StoredWalkEntry implements WalkEntry {
  readonly kind = "file";
  readonly #entry: Entry;
  readonly #ahead: LoadAhead;

  constructor(entry: Entry, ahead: LoadAhead) {
    this.#entry = entry;
    this.#ahead = ahead;
  }

  get path(): VirtualPath {
    return this.#entry.path;
  }

  get name(): string {
    return this.#entry.name;
  }

  match(): GlobMatch {
    return this.#entry.match();
  }

  load(maxBytes: number): MaybePromise<FileContent | undefined> {
    const { node } = this.#entry;
    if (node.kind !== "file" || node.content.sizeBytes > maxBytes) return undefined;
    return this.#ahead.load(this.#entry, node.content, maxBytes);
  }
}
