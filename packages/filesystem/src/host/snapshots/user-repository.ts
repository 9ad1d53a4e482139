import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { compareTrees } from "../../patch/compare-trees.js";
import type { ChangeSet } from "../../snapshots/change-set.js";
import type { LeftOut } from "../../snapshots/filesystem-snapshot.js";
import { isSnapshotError, SnapshotError } from "../../snapshots/snapshot-error.js";
import { requireSnapshotName } from "../../snapshots/snapshot-name.js";
import type { HostRoot } from "../containment/host-root.js";
import { openHostRoot } from "../containment/open-host-root.js";
import type { HostFilesystemOptions } from "../driver/host-options.js";
import { unseenChangeMs } from "../driver/unseen-changes.js";
import { fromStoreError } from "../git-store/from-store-error.js";
import { ObjectDatabase } from "../git-store/object-database.js";
import { RefFiles } from "../git-store/ref-files.js";
import { type RepositoryLayout, readRepositoryLayout } from "../git-store/repository-layout.js";
import {
  decodeSnapshotCommit,
  encodeSnapshotCommit,
  type SnapshotCommit,
} from "../git-store/snapshot-commit.js";
import { rootKeyOf } from "../git-store/store-layout.js";
import { RestoreJournal } from "../journal/restore-journal.js";
import { ProcessLock } from "../process/process-lock.js";
import { SHARED_DIRECTORY } from "../process/store-io.js";
import { type CapturePolicy, capturePolicy } from "./capture-policy.js";
import type { RegisteredSnapshot } from "./snapshot-registry.js";
import { StoreView } from "./store-view.js";
import { WorkspaceRestorer } from "./workspace-restorer.js";
import { WorkspaceScanner } from "./workspace-scanner.js";

const REFS = "refs/sandbox/snapshots/";
const LOCK_WAIT_MS = 30_000;

export interface RepositorySnapshotsOptions
  extends Pick<HostFilesystemOptions, "exclude" | "maxFileBytes" | "otherWriters" | "fsync"> {}

/** A named state of a user's working tree. */
export interface RepositorySnapshot {
  readonly name: string;
  readonly commitId: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Empty if none was given. */
  readonly description: string;
  /** The files that were not captured. Absent if everything was captured. */
  readonly leftOut?: readonly LeftOut[] | undefined;
}

/**
 * Opens the snapshots in a user's own repository.
 *
 * They are commits under `refs/sandbox/snapshots/`, written without git. HEAD, the index, the stash, the
 * configuration, reflogs and all other references do not change. Only `exclude` and `maxFileBytes` decide which
 * files are captured: ignored files are captured, the repository's own `.git` never is.
 *
 * Use it only for a repository whose `.git` the agent cannot write to. With write access there, an agent can make
 * the user's git run any command.
 *
 * @throws SnapshotError `INVALID_STORE` if the directory is not a repository, or the repository is bare or of an
 * unsupported kind
 */
export async function openRepositorySnapshots(
  directory: string,
  options: RepositorySnapshotsOptions = {},
): Promise<RepositorySnapshots> {
  const layout = readRepositoryLayout(directory);
  const root = openHostRoot(layout.workTree);
  const snapshots = new RepositorySnapshots(root, layout, options);
  try {
    await snapshots.recover();
    return snapshots;
  } catch (error) {
    await snapshots.close();
    throw error;
  }
}

/** Named snapshots in a user's own repository. */
export class RepositorySnapshots implements AsyncDisposable {
  readonly #root: HostRoot;
  readonly #rootKey: string;
  readonly #objects: ObjectDatabase;
  readonly #refs: RefFiles;
  readonly #scanner: WorkspaceScanner;
  readonly #restorer: WorkspaceRestorer;
  readonly #journal: RestoreJournal;
  readonly #lock: ProcessLock;

  constructor(root: HostRoot, layout: RepositoryLayout, options: RepositorySnapshotsOptions) {
    const { format, alternates, commonDirectory, gitDirectory } = layout;
    const fsync = options.fsync ?? true;
    const own = join(gitDirectory, "wink");
    this.#root = root;
    this.#rootKey = rootKeyOf(layout.workTree);
    this.#objects = new ObjectDatabase(join(commonDirectory, "objects"), {
      format,
      fsync,
      alternates,
      directoryMode: SHARED_DIRECTORY,
    });
    this.#refs = new RefFiles(commonDirectory, { format, fsync, locks: "git" });
    this.#journal = new RestoreJournal(join(own, "restore"), format, fsync);
    this.#lock = new ProcessLock(join(own, "lock"));
    this.#scanner = new WorkspaceScanner({
      root,
      rootKey: this.#rootKey,
      objects: this.#objects,
      policy: withoutRepository(capturePolicy(options)),
      cache: undefined,
      unseenMs: unseenChangeMs(root.directory.prefix, options),
      generationPath: join(own, "generation"),
    });
    this.#restorer = new WorkspaceRestorer({
      root,
      objects: this.#objects,
      scanner: this.#scanner,
      journal: this.#journal,
      fsync,
    });
  }

  async close(): Promise<void> {
    this.#objects.close();
    this.#root.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /**
   * Saves the current files. An existing name moves to the new snapshot. @throws SnapshotError `INVALID_NAME`,
   * `UNREADABLE`
   */
  create(
    name: string,
    options: { readonly description?: string | undefined } = {},
  ): Promise<RepositorySnapshot> {
    return this.#guarded("snapshot", async () => {
      requireSnapshotName(name);
      const { treeId, leftOut } = await this.#capture();
      const commit: SnapshotCommit = {
        treeId,
        snapshotId: randomUUID(),
        createdAt: new Date().toISOString(),
        sequence: Math.max(0, ...this.#all().map((each) => each.commit.sequence)) + 1,
        rootKey: this.#rootKey,
        name,
        ...(options.description === undefined ? {} : { tag: options.description }),
        ...(leftOut.length === 0 ? {} : { leftOut }),
      };
      const title = titleOf(options.description) || name;
      const commitId = this.#objects.put("commit", encodeSnapshotCommit(commit, title));
      this.#objects.settle();
      this.#refs.write(REFS + name, commitId);
      return describe(name, { commitId, commit });
    });
  }

  /** Every snapshot, newest first. */
  list(): Promise<readonly RepositorySnapshot[]> {
    return this.#guarded("snapshots", async () =>
      this.#all()
        .sort((a, b) => b.commit.sequence - a.commit.sequence)
        .map((each) => describe(each.name, each)),
    );
  }

  /**
   * Restores the files and returns what had changed. @throws SnapshotError `UNKNOWN_SNAPSHOT`, `CORRUPT`,
   * `INCOMPLETE`
   */
  restore(name: string): Promise<ChangeSet> {
    return this.#guarded("restore", async () => {
      const target = this.#find(name);
      const changes = await this.#changesSince(target);
      if (!(await this.#lock.acquire(LOCK_WAIT_MS))) throw new SnapshotError("BUSY");
      try {
        await this.#restorer.restore(target);
      } finally {
        this.#lock.release();
      }
      return changes;
    });
  }

  /** The changes from the snapshot to the current files. */
  diff(name: string): Promise<ChangeSet> {
    return this.#guarded("diff", () => this.#changesSince(this.#find(name)));
  }

  delete(name: string): Promise<void> {
    return this.#guarded("deleteSnapshot", async () => {
      this.#find(name);
      this.#refs.delete(REFS + name);
    });
  }

  /** Finishes the interrupted restore of an earlier process. */
  async recover(): Promise<void> {
    const commitId = this.#journal.read();
    const commit = commitId === undefined ? undefined : this.#read(commitId);
    if (commitId === undefined || commit === undefined) return;
    if (!(await this.#lock.acquire(LOCK_WAIT_MS))) throw new SnapshotError("BUSY");
    try {
      await this.#restorer.restore({ commitId, commit });
    } catch (error) {
      if (!isSnapshotError(error, "INCOMPLETE")) throw error;
    } finally {
      this.#lock.release();
    }
  }

  async #changesSince({ commit }: RegisteredSnapshot): Promise<ChangeSet> {
    const { treeId } = await this.#capture();
    this.#objects.settle();
    const before = new StoreView(this.#objects, commit.treeId);
    return await compareTrees(before, new StoreView(this.#objects, treeId));
  }

  /** Reads everything again each time, because the user's git may have removed objects that are cached. */
  async #capture(): Promise<{ treeId: string; leftOut: readonly LeftOut[] }> {
    this.#scanner.forget();
    this.#objects.refresh();
    const { tree, leftOut, unreadable } = await this.#scanner.scan({ storing: true });
    if (unreadable.length > 0) throw new SnapshotError("UNREADABLE", { paths: unreadable });
    return { treeId: tree.treeId, leftOut: leftOut.filter(({ path }) => path !== ".git") };
  }

  #find(name: string): RegisteredSnapshot {
    requireSnapshotName(name);
    const commitId = this.#refs.read(REFS + name);
    if (commitId === undefined) throw new SnapshotError("UNKNOWN_SNAPSHOT");
    const commit = this.#read(commitId);
    if (commit === undefined) throw new SnapshotError("CORRUPT");
    // Another working tree of the same repository shares the reference, but these are not its files.
    if (commit.rootKey !== this.#rootKey) throw new SnapshotError("FOREIGN_SNAPSHOT");
    return { commitId, commit };
  }

  #all(): (RegisteredSnapshot & { readonly name: string })[] {
    return [...this.#refs.list(REFS)].flatMap(([name, commitId]) => {
      const commit = this.#read(commitId);
      return commit?.rootKey === this.#rootKey ? [{ name, commitId, commit }] : [];
    });
  }

  #read(commitId: string): SnapshotCommit | undefined {
    const object = this.#objects.read(commitId);
    if (object?.type !== "commit") return undefined;
    return decodeSnapshotCommit(this.#objects.format, object.content);
  }

  async #guarded<T>(operation: string, body: () => Promise<T>): Promise<T> {
    try {
      this.#root.requireOpen();
      return await body();
    } catch (error) {
      this.#objects.discard();
      throw fromStoreError(error, operation);
    }
  }
}

function withoutRepository(policy: CapturePolicy): CapturePolicy {
  return {
    ...policy,
    namesEscaped: "refused",
    excludes: (path) => path === ".git" || policy.excludes(path),
  };
}

/** For git, the title ends at the first empty line, and a NUL is not allowed. */
function titleOf(description = ""): string {
  return description
    .replace(/\0/g, "")
    .replace(/\n\s*\n/g, "\n")
    .trim();
}

function describe(name: string, { commitId, commit }: RegisteredSnapshot): RepositorySnapshot {
  const { createdAt, tag = "", leftOut } = commit;
  return { name, commitId, createdAt, description: tag, ...(leftOut ? { leftOut } : {}) };
}
