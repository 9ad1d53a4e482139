import type { ChangeSet, SnapshotableFilesystem, TreeEntry } from "@wink/filesystem";
import type { StateChange } from "@wink/filesystem/host";

/** The states of a run's files, each with an ID. `TreeStore` of `@wink/filesystem/host` is one. */
export interface StateStore {
  /** Stores the state `from` with these changes as the newest state of the run. Resolves to its ID. */
  add(
    run: string,
    from: string | undefined,
    changes: Iterable<StateChange> | AsyncIterable<StateChange>,
    subject: string,
  ): Promise<string>;
  /** Stores a state from a tar archive. */
  addArchive(run: string, archive: AsyncIterable<Uint8Array>, subject: string): Promise<string>;
  /** The state of a snapshot, if the snapshot is in the same store. */
  treeOf(commitRef: string): string | undefined;
  /**
   * The state of the files now, if the files are in the same store. `last` is the state that the log names last.
   * @default the files are scanned
   */
  current?(filesystem: SnapshotableFilesystem, last: string | undefined): string | undefined;
  has(state: string): boolean;
  entries(state: string): Iterable<TreeEntry>;
  /** The node at a path and everything below it. */
  entriesAt(state: string, path: string): Iterable<TreeEntry>;
  diff(from: string, to: string): Promise<ChangeSet>;
  close(): void;
}
