import { fstatSync, fsyncSync, linkSync, mkdirSync, readdirSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import type { VirtualPath } from "../../path/virtual-path.js";
import type { CommitRecord } from "../../snapshots/filesystem-snapshot.js";
import type { HostRoot } from "../containment/host-root.js";
import { timeOf } from "../containment/node-attributes.js";
import { removeHostTreeNow } from "../containment/remove-tree.js";
import { rootKeyOf } from "../git-store/store-layout.js";
import { isCommitted, worksBy } from "../journal/commit-record.js";
import {
  decodeLog,
  encodeLine,
  type LogLine,
  type RecoverOptions,
  type UndoRecord,
} from "../journal/undo-record.js";
import { AppendFile } from "../process/append-file.js";
import { errorCode, tolerating } from "../process/from-node-error.js";
import { isPrivateDirectory, readPrivateFile } from "../process/private-state.js";
import { isTokenAlive, releaseToken, takeToken } from "../process/process-token.js";
import { removeIfThere, syncDirectory } from "../process/store-io.js";
import { canMove } from "./can-move.js";
import { SavedEntries } from "./saved-entries.js";
import { undoRecord } from "./undo-one.js";

const LOG = "log";

/**
 * Saves files before they are changed, in a private directory next to the workspace.
 *
 * A file that is replaced is saved with a hard link, because files are never written in place. A file or directory
 * that is removed is moved to the private directory. So a change costs the same for any size of the file, the
 * directory or the workspace.
 */
export class UndoLog {
  readonly #root: HostRoot;
  readonly #directory: string;
  readonly #saved: SavedEntries;
  readonly #fsync: boolean;
  #file: AppendFile | undefined;
  #records: UndoRecord[] = [];
  #nextName = 0;
  #token: string | undefined;
  /** Where the commit of the logged changes is recorded. Applies until the log is empty again. */
  #committedBy: CommitRecord | undefined;

  private constructor(root: HostRoot, directory: string, fsync: boolean) {
    this.#root = root;
    this.#directory = directory;
    this.#saved = new SavedEntries(directory, root.containment);
    this.#fsync = fsync;
  }

  /** Returns `undefined` if no directory can be created on the same mount. */
  static make(root: HostRoot, fsync: boolean): UndoLog | undefined {
    const token = takeToken();
    const directory = join(dirname(root.path), prefixFor(root) + token);
    try {
      mkdirSync(directory, 0o700);
    } catch (error) {
      releaseToken(token);
      if (errorCode(error) === undefined) throw error;
      return undefined;
    }
    const log = new UndoLog(root, directory, fsync);
    log.#token = token;
    let usable = false;
    try {
      usable = canMove(root, directory);
    } finally {
      if (!usable) log.#remove();
    }
    return usable ? log : undefined;
  }

  /**
   * Rolls back the uncommitted changes of dead processes. If a restore already rolled back the later changes, only
   * the first `startingFrom` logged changes are rolled back. A log that another user could have written is ignored.
   */
  static async recover(
    root: HostRoot,
    { fsync, startingFrom, takesOver }: RecoverOptions,
  ): Promise<void> {
    const parent = dirname(root.path);
    const prefix = prefixFor(root);
    const names = tolerating(["ENOENT", "EACCES"], () => readdirSync(parent), []);
    for (const name of names) {
      if (!name.startsWith(prefix)) continue;
      const directory = join(parent, name);
      if (!isPrivateDirectory(directory)) continue;
      const isTakenOver = takesOver !== undefined && worksBy(takesOver, join(directory, LOG));
      if (!isTakenOver && isTokenAlive(name.slice(prefix.length), directory)) continue;
      const log = new UndoLog(root, directory, fsync);
      try {
        log.#reopen();
        if (isCommitted(log.#committedBy)) log.forget(0);
        if (startingFrom !== undefined) log.forget(startingFrom);
        log.rollBack(0);
      } catch (error) {
        log.release();
        throw error;
      }
      await log.close();
    }
  }

  /** The number of changes that can be rolled back. */
  get length(): number {
    return this.#records.length;
  }

  /** The changes after the first `length`, in order. */
  recordsFrom(length: number): readonly UndoRecord[] {
    return this.#records.slice(length);
  }

  /** Sets where the commit of the outermost transaction is recorded. Call while the log is empty. */
  decideBy(committedBy: CommitRecord | undefined): void {
    this.#committedBy = committedBy;
  }

  /** Call before a file or directory is created or replaced at `path`. */
  beforePut(path: VirtualPath): void {
    const { existing, parentMs } = this.#statOf(path);
    if (existing === undefined) this.#record({ type: "created", path, parentMs });
    else if (!existing.isDirectory()) {
      const keptAs = this.#newName();
      this.#record({ type: "kept", path, keptAs, parentMs });
      this.#root.inParent(path, (parent, leaf) =>
        linkSync(parent.pathOf(leaf), join(this.#directory, keptAs)),
      );
      this.#settle();
    }
  }

  /** Call before the attributes of a directory are set. */
  beforeAttributes(path: VirtualPath): void {
    const { existing } = this.#statOf(path);
    if (existing?.isDirectory())
      this.#record({
        type: "attributes",
        path,
        mode: existing.mode & 0o777,
        modifiedAtMs: timeOf(existing),
      });
  }

  /** Moves the node at `path`, with all its content, to the private directory. */
  moveAway(path: VirtualPath): void {
    const keptAs = this.#newName();
    this.#root.inParent(path, (parent, leaf) => {
      this.#record({ type: "kept", path, keptAs, parentMs: timeOf(fstatSync(parent.fd)) });
      renameSync(parent.pathOf(leaf), join(this.#directory, keptAs));
      if (this.#fsync) fsyncSync(parent.fd);
    });
    this.#settle();
  }

  beforeRename(from: VirtualPath, to: VirtualPath): void {
    this.beforePut(to);
    this.#record({ type: "renamed", from, to, parentMs: this.#statOf(from).parentMs });
  }

  /** Rolls back changes, the last first, until `length` are left. Safe to repeat after a crash at any point. */
  rollBack(length: number): void {
    // A record of a change that did not happen would delete restored files if a later process rolled back again.
    if (this.#records.length > length) this.#file?.repair();
    while (this.#records.length > length) {
      const record = this.#records.at(-1);
      if (record !== undefined) this.#undo(record);
      this.#records.pop();
      this.#append({ type: "remaining", count: this.#records.length });
    }
    if (length === 0) this.#clear();
  }

  /** Drops the records after the first `length`. Those changes are committed, or were rolled back by a restore. */
  forget(length: number): void {
    this.#records.length = Math.min(this.#records.length, length);
    if (length === 0) this.#clear();
    else if (this.#file !== undefined) this.#append({ type: "remaining", count: length });
  }

  /**
   * Removes everything that was saved. Never rejects: entries that cannot be removed stay until the workspace is
   * opened again.
   */
  async close(): Promise<void> {
    this.release();
    await this.#saved.remove();
  }

  /** Removes the directory while it is still empty. If that fails, the next opening of the workspace removes it. */
  #remove(): void {
    this.release();
    try {
      removeHostTreeNow(this.#directory, this.#root.containment);
    } catch {}
  }

  /** Releases the log. The next process that opens the workspace rolls back the remaining changes. */
  release(): void {
    if (this.#token !== undefined) releaseToken(this.#token);
    this.#token = undefined;
    this.#file?.close();
    this.#file = undefined;
  }

  #undo(record: UndoRecord): void {
    undoRecord(this.#root, record, {
      saved: (name) => join(this.#directory, name),
      trash: () => join(this.#directory, this.#newName()),
      fsync: this.#fsync,
    });
  }

  #statOf(path: VirtualPath) {
    return this.#root.inParent(path, (parent, leaf) => ({
      existing: parent.stat(leaf),
      parentMs: timeOf(fstatSync(parent.fd)),
    }));
  }

  #newName(): string {
    return `${process.pid}-${this.#nextName++}`;
  }

  #record(record: UndoRecord): void {
    this.#append(record);
    this.#records.push(record);
  }

  #append(line: LogLine): void {
    this.#file ??= this.#openLog(0);
    const decision = this.#file.sizeBytes === 0 && this.#committedBy;
    const first = decision ? encodeLine({ ...decision, type: "committed-by" }) : "";
    this.#file.append(Buffer.from(first + encodeLine(line)));
  }

  #openLog(sizeBytes: number): AppendFile {
    return new AppendFile(join(this.#directory, LOG), { sizeBytes, fsync: this.#fsync });
  }

  #settle(): void {
    if (this.#fsync) syncDirectory(this.#directory);
  }

  /** After the log file is removed, nothing can be rolled back, so the saved entries are not needed. */
  #clear(): void {
    if (this.#file === undefined) return;
    // Remove the log file first, so that the caller can retry if this fails.
    removeIfThere(join(this.#directory, LOG));
    this.#file.close();
    this.#file = undefined;
    this.#records = [];
    this.#settle();
    this.#saved.discard();
  }

  #reopen(): void {
    // A dead process with the same PID may have used the same names.
    const used = readdirSync(this.#directory).map((name) => Number(/^\d+-(\d+)$/.exec(name)?.[1]));
    this.#nextName = 1 + used.reduce((most, number) => (number > most ? number : most), 0);
    const text = readPrivateFile(join(this.#directory, LOG))?.toString();
    if (text === undefined) return;
    const { records, committedBy } = decodeLog(text);
    this.#records = records;
    this.#committedBy = committedBy;
    // Drop a line that a crash cut off, because the next line would be appended to it.
    const whole = text.slice(0, text.lastIndexOf("\n") + 1);
    this.#file = this.#openLog(Buffer.byteLength(whole));
  }
}

function prefixFor({ path }: HostRoot): string {
  return `.wink-undo-${rootKeyOf(path)}-`;
}
