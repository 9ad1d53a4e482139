import type { ChangeSet, SnapshotableFilesystem, TreeEntry } from "@wink/filesystem";
import type { StateChange } from "@wink/filesystem/host";
import { type StoredFiles, type StoredStates, storedFilesOf } from "@wink/filesystem/internal";
import type { StateStore } from "./state-store.js";

/** The states of a run in a store, and of its subagents. */
export class StoreStates implements StateStore {
  readonly #states: StoredStates;
  /** `undefined` for a reader. */
  readonly #files: StoredFiles | undefined;

  constructor(states: StoredStates, files?: StoredFiles) {
    this.#states = states;
    this.#files = files;
  }

  add(
    _run: string,
    from: string | undefined,
    changes: Iterable<StateChange> | AsyncIterable<StateChange>,
  ): Promise<string> {
    return this.#states.add(from, changes, this.#files?.version);
  }

  current(filesystem: SnapshotableFilesystem, last: string | undefined): string | undefined {
    const files = this.#files;
    if (files === undefined || storedFilesOf(filesystem) !== files) return undefined;
    const known = last !== undefined && this.#states.has(last) ? last : undefined;
    return this.#states.keep(files.version, known);
  }

  addArchive(): Promise<string> {
    return Promise.reject(new Error("The files of a stored run are in its store."));
  }

  treeOf(): undefined {
    return undefined;
  }

  has(state: string): boolean {
    return this.#states.has(state);
  }

  entries(state: string): Iterable<TreeEntry> {
    return this.#states.entries(state);
  }

  entriesAt(state: string, path: string): Iterable<TreeEntry> {
    return this.#states.entriesAt(state, path);
  }

  diff(from: string, to: string): Promise<ChangeSet> {
    return this.#states.diff(from, to);
  }

  close(): void {}
}
