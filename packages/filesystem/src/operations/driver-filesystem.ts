import { copyBytes } from "../content/bytes.js";
import type { FilesystemDriver } from "../driver/driver.js";
import type { DriverSnapshots } from "../driver/driver-snapshots.js";
import type * as fs from "../protocol/filesystem.js";
import { checkMountPoint, type FilesystemOptions } from "../protocol/filesystem-options.js";
import { resolveLimits, resolveQuotas } from "../protocol/limits.js";
import { isPromise } from "../protocol/maybe-promise.js";
import type { ChangeSet } from "../snapshots/change-set.js";
import type * as snapshots from "../snapshots/filesystem-snapshot.js";
import { Calls } from "./calls.js";
import { deletePath } from "./delete-path.js";
import { describeNode, nodeExists } from "./describe-node.js";
import { openReader } from "./file-reader.js";
import { openWriter } from "./file-writer.js";
import { type ImportedNode, importFiles } from "./import-files.js";
import { incomingBytes, incomingText } from "./incoming.js";
import { listDirectory } from "./list-directory.js";
import { makeDirectory } from "./make-directory.js";
import { pruneSnapshots } from "./prune-snapshots.js";
import { readBytes } from "./read-bytes.js";
import { readText } from "./read-text.js";
import { globWorkspace, grepWorkspace } from "./search-workspace.js";
import {
  createSnapshot,
  deleteSnapshot,
  diffSnapshots,
  exportSnapshot,
  forkDriver,
  importSnapshot,
  listSnapshots,
  restoreSnapshot,
} from "./snapshot-operations.js";
import { openTextReader } from "./text-reader.js";
import { TransactionStack } from "./transaction-stack.js";
import { copyPath, movePath } from "./transfer.js";
import { UsageKeeper } from "./usage-keeper.js";
import { failure, type Target, targetOf, type Workspace } from "./workspace.js";
import { writeFile } from "./write-file.js";
import { requireChangeable } from "./write-rules.js";

export type { FilesystemOptions };

/**
 * A complete {@link fs.Filesystem} over a driver. `createFilesystem` makes one from a driver with six methods.
 *
 * It applies the rules that all backends share: it runs each call's operation, serialises changes, and rejects only
 * with an error of this package or the signal's reason.
 */
export class DriverFilesystem implements snapshots.SnapshotableFilesystem {
  readonly root: string;
  readonly readOnly: boolean;
  readonly mountPoint: string | undefined;
  readonly limits: fs.Filesystem["limits"];
  readonly quotas: fs.Filesystem["quotas"];
  readonly #calls: Calls;
  readonly #transactions: TransactionStack;
  readonly #options: FilesystemOptions;
  /** Makes snapshots for a driver that has none. */
  readonly #snapshotsFor:
    | ((driver: FilesystemDriver, rootPath: string) => DriverSnapshots)
    | undefined;

  constructor(
    driver: FilesystemDriver,
    options: FilesystemOptions = {},
    snapshotsFor?: (driver: FilesystemDriver, rootPath: string) => DriverSnapshots,
  ) {
    this.#options = options;
    this.#snapshotsFor = snapshotsFor;
    this.readOnly = options.readOnly ?? false;
    this.mountPoint = checkMountPoint(options.mountPoint);
    this.root = options.root ?? this.mountPoint ?? "/";
    this.limits = resolveLimits(options.limits);
    this.quotas = resolveQuotas(options.quotas);
    const store = driver.snapshots ?? snapshotsFor?.(driver, this.root);
    if (store === undefined)
      throw new TypeError("driver: it has no snapshots. Use createFilesystem(driver).");
    this.#calls = new Calls({
      driver,
      snapshots: store,
      limits: this.limits,
      quotas: this.quotas,
      readOnly: this.readOnly,
      mountPoint: this.mountPoint,
      allowGit: options.allowGit ?? false,
      usage: new UsageKeeper(driver, this.quotas),
    });
    this.#transactions = new TransactionStack(this.#calls);
  }

  read(path: string, options: fs.ReadOptions = {}): Promise<fs.ReadResult> {
    // A driver with `load` reads the file in one step.
    return this.#driver.load
      ? this.#calls.read("read", path, options, readText)
      : this.#calls.readConsistently("read", path, options, readText);
  }

  readBytes(path: string, options: fs.ReadBytesOptions = {}): Promise<fs.ReadBytesResult> {
    return this.#calls.readConsistently("readBytes", path, options, readBytes);
  }

  exists(path: string, options: fs.CallOptions = {}): Promise<boolean> {
    return this.#calls.read("exists", path, options, nodeExists);
  }

  stat(path: string, options: fs.CallOptions = {}): Promise<fs.FileStat> {
    return this.#calls.readConsistently("stat", path, options, describeNode);
  }

  list(path = ".", options: fs.ListOptions = {}): Promise<fs.Cut<fs.FileEntry>> {
    return this.#calls.readConsistently("list", path, options, listDirectory);
  }

  glob(pattern: string, options: fs.GlobOptions = {}): Promise<fs.Cut<fs.GlobMatch>> {
    return this.#search("glob", options, (workspace, target) =>
      globWorkspace(workspace, target, pattern, options),
    );
  }

  grep(pattern: string, options: fs.GrepOptions = {}): Promise<fs.GrepResult> {
    return this.#search("grep", options, (workspace, target) =>
      grepWorkspace(workspace, target, pattern, options),
    );
  }

  write(path: string, content: string, options: fs.WriteOptions = {}): Promise<fs.WriteResult> {
    return this.#calls.change("write", path, options, (workspace, target) => {
      requireChangeable(workspace, target);
      const incoming = incomingText(workspace, target, content, options);
      return writeFile(workspace, target, incoming, options);
    });
  }

  writeBytes(
    path: string,
    content: Uint8Array,
    options: fs.WriteOptions = {},
  ): Promise<fs.WriteResult> {
    // The caller may change the bytes while the write is queued. Other types and oversized content are refused later.
    const isKept = content instanceof Uint8Array && content.length <= this.limits.maxWriteBytes;
    const own = isKept ? copyBytes(content) : content;
    return this.#calls.change("writeBytes", path, options, (workspace, target) => {
      requireChangeable(workspace, target);
      const incoming = incomingBytes(workspace, target, own, options);
      return writeFile(workspace, target, incoming, options);
    });
  }

  delete(path: string, options: fs.DeleteOptions = {}): Promise<void> {
    return this.#calls.change("delete", path, options, deletePath);
  }

  mkdir(path: string, options: fs.MkdirOptions = {}): Promise<void> {
    return this.#calls.change("mkdir", path, options, makeDirectory);
  }

  copy(from: string, to: string, options: fs.TransferOptions = {}): Promise<void> {
    return this.#calls.change("copy", from, options, (workspace, source) =>
      copyPath(workspace, source, targetOf(workspace, "copy", to), options),
    );
  }

  move(from: string, to: string, options: fs.TransferOptions = {}): Promise<void> {
    return this.#calls.change("move", from, options, (workspace, source) =>
      movePath(workspace, source, targetOf(workspace, "move", to), options),
    );
  }

  openRead(path: string, options: fs.OpenReadOptions = {}): Promise<fs.FileReader> {
    return this.#calls.readConsistently("openRead", path, options, openReader);
  }

  openWrite(path: string, options: fs.OpenWriteOptions = {}): Promise<fs.FileWriter> {
    return this.#calls.read("openWrite", path, options, (workspace, target) =>
      openWriter(workspace, target, options, this.#calls.queue),
    );
  }

  openText(path: string, options: fs.OpenTextOptions = {}): Promise<fs.TextReader> {
    return this.#calls.readConsistently("openText", path, options, openTextReader);
  }

  usage(options: fs.CallOptions = {}): Promise<fs.Usage> {
    const measure = ({ usage }: Workspace) => usage.measure(options.signal);
    // A count that takes time must not miss concurrent changes.
    return this.#driver.countsUsage
      ? this.#calls.read("usage", ".", options, measure)
      : this.#calls.change("usage", ".", options, measure);
  }

  snapshot(options: snapshots.SnapshotOptions = {}): Promise<snapshots.FilesystemSnapshot> {
    return this.#calls.change("snapshot", ".", options, createSnapshot);
  }

  restore(snapshot: snapshots.FilesystemSnapshot, options: fs.CallOptions = {}): Promise<void> {
    return this.#calls.change("restore", ".", options, (workspace, target) =>
      restoreSnapshot(workspace, target, snapshot),
    );
  }

  diff(
    from: snapshots.FilesystemSnapshot,
    to?: snapshots.FilesystemSnapshot,
    options: snapshots.DiffOptions = {},
  ): Promise<ChangeSet> {
    return this.#calls.change("diff", ".", options, (workspace) =>
      diffSnapshots(workspace, from, to, options),
    );
  }

  snapshots(options: fs.CallOptions = {}): Promise<readonly snapshots.FilesystemSnapshot[]> {
    return this.#calls.change("snapshots", ".", options, listSnapshots);
  }

  deleteSnapshot(
    snapshot: snapshots.FilesystemSnapshot,
    options: fs.CallOptions = {},
  ): Promise<void> {
    return this.#calls.change("deleteSnapshot", ".", options, (workspace) =>
      deleteSnapshot(workspace, snapshot),
    );
  }

  prune(options: snapshots.PruneOptions): Promise<snapshots.PruneReport> {
    return this.#calls.change("prune", ".", options, (workspace, target) =>
      pruneSnapshots(workspace.snapshots, target, options, Date.now()),
    );
  }

  verify(options: fs.CallOptions = {}): Promise<snapshots.VerifyReport> {
    return this.#calls.change("verify", ".", options, (workspace) => workspace.snapshots.verify());
  }

  exportSnapshot(
    snapshot: snapshots.FilesystemSnapshot,
    options: fs.CallOptions = {},
  ): AsyncIterable<Uint8Array> {
    return exportSnapshot(this.#calls, snapshot, options);
  }

  importSnapshot(
    archive: Parameters<snapshots.SnapshotableFilesystem["importSnapshot"]>[0],
    options: snapshots.SnapshotOptions = {},
  ): Promise<snapshots.FilesystemSnapshot> {
    return this.#calls.change("importSnapshot", ".", options, (workspace) =>
      importSnapshot(workspace, archive, options),
    );
  }

  async fork(options: fs.CallOptions = {}): Promise<DriverFilesystem> {
    const driver = await this.#calls.change("fork", ".", options, forkDriver);
    const settings = { ...this.#options, root: driver.root ?? this.root };
    return new DriverFilesystem(driver, settings, this.#snapshotsFor);
  }

  begin(options: snapshots.BeginOptions = {}): Promise<snapshots.FilesystemTransaction> {
    return this.#calls.change("begin", ".", options, (workspace, target) => {
      if (workspace.readOnly) throw failure(target, "EROFS");
      const { full = false, committedBy } = options;
      const begun = workspace.snapshots.begin({ full, committedBy });
      return isPromise(begun)
        ? begun.then((transaction) => this.#transactions.push(transaction))
        : this.#transactions.push(begun);
    });
  }

  /** Writes many new files in one change. For mounts. Call `begin` first to be able to roll back. */
  importFiles(nodes: readonly ImportedNode[], { signal }: fs.CallOptions = {}): Promise<void> {
    return this.#calls.change("import", ".", { signal }, (workspace) =>
      importFiles(workspace, nodes, signal),
    );
  }

  /** Releases what the backend holds open, after the changes in progress. The filesystem is not to be used afterwards. */
  close(): Promise<void> {
    return this.#calls.change("close", ".", {}, ({ driver }) => driver.close?.());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  get #driver(): FilesystemDriver {
    return this.#calls.workspace.driver;
  }

  /** A driver with `walk` handles concurrent changes itself. */
  #search<T>(
    operation: "glob" | "grep",
    options: fs.GlobOptions,
    search: (workspace: Workspace, target: Target) => Promise<T>,
  ): Promise<T> {
    const path = options?.path ?? ".";
    return this.#driver.walk
      ? this.#calls.read(operation, path, options, search)
      : this.#calls.readConsistently(operation, path, options, search);
  }
}
