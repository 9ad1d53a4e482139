import type { FilesystemSnapshot } from "../snapshots/filesystem-snapshot.js";
import { SnapshotError } from "../snapshots/snapshot-error.js";
import type { ObjectDatabase } from "./object-database.js";
import type { RefFiles } from "./ref-files.js";
import { decodeSnapshotCommit, type SnapshotCommit } from "./snapshot-commit.js";

export const SNAPSHOTS = "refs/wink/snapshots/";
export const NAMES = "refs/wink/names/";
/** States that a transaction may have to return to. They are in no list. */
export const CHECKPOINTS = "refs/wink/checkpoints/";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A snapshot as it is in the store. */
export interface RegisteredSnapshot {
  readonly commitId: string;
  readonly commit: SnapshotCommit;
}

/** Which snapshots there are: one reference each, so that none depends on another. */
export class SnapshotRegistry {
  readonly #objects: ObjectDatabase;
  readonly #refs: RefFiles;
  readonly #rootKey: string;
  readonly #rootPath: string;
  readonly #commits = new Map<string, SnapshotCommit>();
  /** By the name of the reference. */
  readonly #found = new Map<string, RegisteredSnapshot>();

  constructor(objects: ObjectDatabase, refs: RefFiles, root: { key: string; path: string }) {
    this.#objects = objects;
    this.#refs = refs;
    this.#rootKey = root.key;
    this.#rootPath = root.path;
  }

  /** Every snapshot of this workspace that can be read, the newest first. */
  list(): readonly RegisteredSnapshot[] {
    return this.#all()
      .filter(({ commit }) => commit.rootKey === this.#rootKey)
      .sort((a, b) => newestFirst(a.commit, b.commit));
  }

  /** As `list`, in the form that callers keep. */
  describeAll(): readonly FilesystemSnapshot[] {
    const names = this.#refs.list(NAMES);
    return this.list().map((snapshot) => this.describe(snapshot, names));
  }

  nextSequence(): number {
    return this.#all().reduce((most, { commit }) => Math.max(most, commit.sequence), 0) + 1;
  }

  /**
   * Finds the snapshot that is meant. Nothing but the id is believed, and that only
   * when it is in the store. @throws SnapshotError `UNKNOWN_SNAPSHOT` or `FOREIGN_SNAPSHOT`
   */
  find(snapshot: FilesystemSnapshot): RegisteredSnapshot {
    const id: unknown = snapshot?.snapshotId;
    if (typeof id !== "string" || !UUID.test(id)) throw new SnapshotError("UNKNOWN_SNAPSHOT");
    const commitId = this.#refs.read(SNAPSHOTS + id);
    if (commitId === undefined) {
      const isElsewhere =
        typeof snapshot.rootPath === "string" && snapshot.rootPath !== this.#rootPath;
      throw new SnapshotError(isElsewhere ? "FOREIGN_SNAPSHOT" : "UNKNOWN_SNAPSHOT");
    }
    const commit = this.#read(commitId);
    if (commit === undefined) throw new SnapshotError("CORRUPT");
    const isOurs = commit.rootKey === this.#rootKey && commit.snapshotId === id;
    if (!isOurs || snapshot.commitRef !== commitId) throw new SnapshotError("FOREIGN_SNAPSHOT");
    return { commitId, commit };
  }

  /** Reads the commit of an earlier state; `undefined` when it is missing, damaged or not ours. */
  at(commitId: string): RegisteredSnapshot | undefined {
    const commit = this.#read(commitId);
    return commit && { commitId, commit };
  }

  publish(commitId: string, { snapshotId, name }: SnapshotCommit): void {
    this.#refs.write(SNAPSHOTS + snapshotId, commitId);
    if (name !== undefined) this.#refs.write(NAMES + name, commitId);
  }

  delete({ commitId, commit }: RegisteredSnapshot): void {
    const { snapshotId, name } = commit;
    if (name !== undefined && this.#refs.read(NAMES + name) === commitId)
      this.#refs.delete(NAMES + name);
    this.#refs.delete(SNAPSHOTS + snapshotId);
    this.#commits.delete(commitId);
    this.#found.delete(snapshotId);
  }

  /** A name that has moved on to another snapshot is no longer this one's. */
  describe(
    { commitId, commit }: RegisteredSnapshot,
    names = this.#refs.list(NAMES),
  ): FilesystemSnapshot {
    const { snapshotId, createdAt, tag, name, leftOut } = commit;
    const hasName = name !== undefined && names.get(name) === commitId;
    return {
      snapshotId,
      createdAt,
      commitRef: commitId,
      rootPath: this.#rootPath,
      ...(tag === undefined ? {} : { tag }),
      ...(hasName ? { name } : {}),
      ...(leftOut === undefined ? {} : { leftOut }),
    };
  }

  /** What a reference of ours says never changes, so each is read once. */
  #all(): RegisteredSnapshot[] {
    const names = this.#refs.names(SNAPSHOTS);
    for (const name of this.#found.keys()) if (!names.has(name)) this.#found.delete(name);
    for (const name of names) {
      if (this.#found.has(name)) continue;
      const commitId = this.#refs.read(SNAPSHOTS + name);
      const commit = commitId === undefined ? undefined : this.#read(commitId);
      if (commitId !== undefined && commit !== undefined)
        this.#found.set(name, { commitId, commit });
    }
    return [...this.#found.values()];
  }

  #read(commitId: string): SnapshotCommit | undefined {
    const known = this.#commits.get(commitId);
    if (known !== undefined) return known;
    const object = this.#objects.read(commitId);
    const commit =
      object?.type === "commit"
        ? decodeSnapshotCommit(this.#objects.format, object.content)
        : undefined;
    if (commit !== undefined) this.#commits.set(commitId, commit);
    return commit;
  }
}

function newestFirst(a: SnapshotCommit, b: SnapshotCommit): number {
  if (a.sequence !== b.sequence) return b.sequence - a.sequence;
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? 1 : -1;
  return a.snapshotId < b.snapshotId ? 1 : -1;
}
