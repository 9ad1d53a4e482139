import type { FilesystemSnapshot } from "../../snapshots/filesystem-snapshot.js";
import { SnapshotError } from "../../snapshots/snapshot-error.js";
import type { ObjectDatabase } from "../git-store/object-database.js";
import type { RefFiles } from "../git-store/ref-files.js";
import { decodeSnapshotCommit, type SnapshotCommit } from "../git-store/snapshot-commit.js";

export const SNAPSHOTS = "refs/wink/snapshots/";
export const NAMES = "refs/wink/names/";
/** States that a transaction may return to. They are not listed as snapshots. */
export const CHECKPOINTS = "refs/wink/checkpoints/";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A snapshot in the store. */
export interface RegisteredSnapshot {
  readonly commitId: string;
  readonly commit: SnapshotCommit;
}

/** A snapshot whose reference or commit cannot be read. */
export interface DamagedSnapshot {
  readonly snapshotId: string;
  /** Empty if the reference cannot be read. */
  readonly commitId: string;
  readonly reason: string;
  readonly modifiedAtMs: number;
}

/**
 * The list of snapshots.
 *
 * A snapshot exists if a reference under `SNAPSHOTS` or `NAMES` leads to its commit. A named snapshot is created
 * with its name and deleted with it, atomically. It never exists without its name.
 */
export class SnapshotRegistry {
  readonly #objects: ObjectDatabase;
  readonly #refs: RefFiles;
  readonly #rootKey: string;
  readonly #rootPath: string;
  readonly #commits = new Map<string, SnapshotCommit>();
  /** By snapshot ID. */
  #found = new Map<string, RegisteredSnapshot>();

  constructor(objects: ObjectDatabase, refs: RefFiles, root: { key: string; path: string }) {
    this.#objects = objects;
    this.#refs = refs;
    this.#rootKey = root.key;
    this.#rootPath = root.path;
  }

  /** Clears the cache, so that everything is read from the disk again. */
  refresh(): void {
    this.#found.clear();
    this.#commits.clear();
  }

  /** The snapshots of this workspace, newest first, and all damaged ones of the store. */
  list(): {
    readonly readable: readonly RegisteredSnapshot[];
    readonly damaged: readonly DamagedSnapshot[];
  } {
    const { readable, damaged } = this.#all();
    const own = readable.filter(({ commit }) => commit.rootKey === this.#rootKey);
    return { readable: own.sort((a, b) => newestFirst(a.commit, b.commit)), damaged };
  }

  /** Like `list`, in the form that callers get. Damaged snapshots come last, because their order is not known. */
  describeAll(): readonly FilesystemSnapshot[] {
    const names = this.#refs.list(NAMES);
    const { readable, damaged } = this.list();
    return [
      ...readable.map((snapshot) => this.describe(snapshot, names)),
      ...damaged.map((snapshot) => this.#describeDamaged(snapshot, names)),
    ];
  }

  nextSequence(): number {
    const { readable } = this.#all();
    return readable.reduce((most, { commit }) => Math.max(most, commit.sequence), 0) + 1;
  }

  /**
   * Finds a snapshot by its ID. No other field of the argument is trusted.
   * @throws SnapshotError `UNKNOWN_SNAPSHOT` or `CORRUPT`
   */
  find(snapshot: FilesystemSnapshot): RegisteredSnapshot {
    const id = this.#requireId(snapshot);
    const found = this.#lookUp(id);
    if (found === undefined) throw new SnapshotError("CORRUPT");
    const isOurs = found.commit.rootKey === this.#rootKey && found.commit.snapshotId === id;
    if (!isOurs || snapshot.commitRef !== found.commitId)
      throw new SnapshotError("UNKNOWN_SNAPSHOT");
    return found;
  }

  /** Like `find`, but accepts damaged snapshots too, because they can be deleted. Returns the ID. */
  findToDelete(snapshot: FilesystemSnapshot): string {
    const id = this.#requireId(snapshot);
    return this.#lookUp(id) === undefined ? id : this.find(snapshot).commit.snapshotId;
  }

  /**
   * Reads the commit of an earlier state. Returns `undefined` if it is missing, damaged or not written by this
   * store.
   */
  at(commitId: string): RegisteredSnapshot | undefined {
    const commit = this.#read(commitId);
    return commit && { commitId, commit };
  }

  publish(commitId: string, { snapshotId, name }: SnapshotCommit): void {
    if (name !== undefined) {
      this.#releaseName(name);
      this.#refs.write(NAMES + name, commitId);
    }
    this.#refs.write(SNAPSHOTS + snapshotId, commitId);
  }

  /** Deletes the name last, so that the snapshot has its name as long as it exists. */
  delete(snapshotId: string): void {
    const commitId = this.#lookUp(snapshotId)?.commitId ?? this.#refs.read(SNAPSHOTS + snapshotId);
    this.#refs.delete(SNAPSHOTS + snapshotId);
    if (commitId === undefined) return;
    for (const [name, id] of this.#refs.list(NAMES))
      if (id === commitId) this.#refs.delete(NAMES + name);
    this.#commits.delete(commitId);
    this.#found.delete(snapshotId);
  }

  /** The name is included only if it still belongs to this snapshot. */
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

  #describeDamaged(
    { snapshotId, commitId, reason, modifiedAtMs }: DamagedSnapshot,
    names: ReadonlyMap<string, string>,
  ): FilesystemSnapshot {
    const [name] = [...names].find(([, id]) => id === commitId) ?? [];
    return {
      snapshotId,
      createdAt: new Date(modifiedAtMs).toISOString(),
      commitRef: commitId,
      rootPath: this.#rootPath,
      ...(name === undefined ? {} : { name }),
      damaged: reason,
    };
  }

  /** Returns the ID of an existing snapshot, damaged or not. */
  #requireId(snapshot: FilesystemSnapshot): string {
    const id: unknown = snapshot?.snapshotId;
    if (typeof id !== "string" || !UUID.test(id)) throw new SnapshotError("UNKNOWN_SNAPSHOT");
    if (this.#refs.has(SNAPSHOTS + id) || this.#lookUp(id) !== undefined) return id;
    throw new SnapshotError("UNKNOWN_SNAPSHOT");
  }

  /** Finds a snapshot by its own reference, or else by its name. */
  #lookUp(snapshotId: string): RegisteredSnapshot | undefined {
    const commitId = this.#refs.read(SNAPSHOTS + snapshotId);
    const direct = commitId === undefined ? undefined : this.at(commitId);
    return direct ?? this.#named().find(({ commit }) => commit.snapshotId === snapshotId);
  }

  /** The snapshots that have a name. */
  #named(): RegisteredSnapshot[] {
    return [...this.#refs.list(NAMES)].flatMap(([name, commitId]) => {
      const commit = this.#read(commitId);
      return commit?.name === name ? [{ commitId, commit }] : [];
    });
  }

  /**
   * Makes sure that the snapshot with this name has its own reference before the name moves to another one. A
   * killed process can leave a snapshot without one.
   */
  #releaseName(name: string): void {
    const commitId = this.#refs.read(NAMES + name);
    const commit = commitId === undefined ? undefined : this.#read(commitId);
    if (commitId === undefined || commit?.name !== name) return;
    const reference = SNAPSHOTS + commit.snapshotId;
    if (!this.#refs.has(reference)) this.#refs.write(reference, commitId);
  }

  /** The target of a reference never changes, so each is read once. */
  #all(): { readonly readable: RegisteredSnapshot[]; readonly damaged: DamagedSnapshot[] } {
    const found = new Map<string, RegisteredSnapshot>();
    const damaged = new Map<string, DamagedSnapshot>();
    for (const id of this.#refs.names(SNAPSHOTS)) {
      const result = this.#found.get(id) ?? this.#load(id);
      if (result === undefined) continue;
      if ("reason" in result) damaged.set(id, result);
      else found.set(id, result);
    }
    for (const each of this.#named()) {
      found.set(each.commit.snapshotId, each);
      damaged.delete(each.commit.snapshotId);
    }
    this.#found = found;
    return { readable: [...found.values()], damaged: [...damaged.values()] };
  }

  #load(snapshotId: string): RegisteredSnapshot | DamagedSnapshot | undefined {
    const reference = SNAPSHOTS + snapshotId;
    const commitId = this.#refs.read(reference);
    const commit = commitId === undefined ? undefined : this.#read(commitId);
    if (commitId !== undefined && commit?.snapshotId === snapshotId) return { commitId, commit };
    // Another process may have deleted it after it was listed.
    const modifiedAtMs = this.#refs.modifiedAtMs(reference);
    if (modifiedAtMs === undefined || !UUID.test(snapshotId)) return undefined;
    const reason =
      commitId === undefined
        ? "the snapshot's reference is damaged"
        : `the snapshot's commit ${commitId} is missing or damaged`;
    return { snapshotId, commitId: commitId ?? "", reason, modifiedAtMs };
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
