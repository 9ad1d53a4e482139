import { concatBytes, copyBytes } from "../content/bytes.js";
import type { DriverWriter } from "../driver/driver-accelerators.js";
import type { FileWriter, WriteMode, WriteOptions, WriteResult } from "../protocol/filesystem.js";
import { abortable } from "./abortable.js";
import { requireMode } from "./incoming.js";
import { knownError } from "./known-error.js";
import { missingParents, withParents } from "./make-directory.js";
import { failure, type Target, type Workspace } from "./workspace.js";
import { currentRevision, requireWritable } from "./write-file.js";
import { requireChangeable } from "./write-rules.js";
import { writeAndTell } from "./written-revision.js";

/** Queues a change. */
type Queue = <T>(change: () => Promise<T>) => Promise<T>;

/** Opens a writer. It checks the target now and again when it commits, because the target may change in between. */
export async function openWriter(
  workspace: Workspace,
  target: Target,
  options: WriteOptions,
  queue: Queue,
): Promise<FileWriter> {
  requireChangeable(workspace, target);
  requireMode(target, options.mode);
  const stat = await workspace.driver.stat(target.path, options);
  await requireWritable(workspace, target, stat, options);
  if (stat === undefined) await missingParents(workspace, target, options.createParents ?? true);
  return new DriverFileWriter(workspace, target, options, queue, stat?.sizeBytes ?? 0);
}

class DriverFileWriter implements FileWriter {
  readonly path: string;
  readonly #workspace: Workspace;
  readonly #target: Target;
  readonly #options: WriteOptions;
  readonly #queue: Queue;
  /** The size of the file when it was opened. */
  readonly #sizeBefore: number;
  readonly #mode: WriteMode;
  #sink: DriverWriter | undefined;
  #bytesWritten = 0;
  #state: "open" | "failed" | "closed" = "open";
  /** Chunks are written in order, whether or not the caller awaits each write. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    workspace: Workspace,
    target: Target,
    options: WriteOptions,
    queue: Queue,
    sizeBefore: number,
  ) {
    this.path = target.path;
    this.#workspace = workspace;
    this.#target = target;
    this.#options = options;
    this.#queue = queue;
    this.#sizeBefore = sizeBefore;
    this.#mode = options.mode ?? "overwrite";
  }

  get bytesWritten(): number {
    return this.#bytesWritten;
  }

  write(chunk: Uint8Array | string): Promise<void> {
    // The caller may reuse the buffer while the write is queued.
    const own = chunk instanceof Uint8Array ? copyBytes(chunk) : chunk;
    const turn = this.#last.then(() => this.#write(own));
    this.#last = turn.catch(() => {});
    return abortable(turn, this.#options.signal);
  }

  close(): Promise<WriteResult> {
    return abortable(this.#close(), this.#options.signal);
  }

  async #close(): Promise<WriteResult> {
    await this.#last;
    this.#requireOpen();
    try {
      this.#options.signal?.throwIfAborted();
      const result = await this.#queue(() => this.#commit());
      this.#state = "closed";
      return result;
    } catch (error) {
      await this.#fail();
      throw knownError(error, this.#target, this.#options.signal);
    }
  }

  async abort(): Promise<void> {
    await this.#last;
    if (this.#state === "closed") return;
    try {
      await this.#discard("closed");
    } catch (error) {
      throw knownError(error, this.#target, this.#options.signal);
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.abort();
  }

  async #write(chunk: Uint8Array | string): Promise<void> {
    this.#requireOpen();
    try {
      this.#options.signal?.throwIfAborted();
      const bytes = this.#encode(chunk);
      this.#requireFileRoom(bytes.length);
      this.#sink ??= await this.#open();
      await this.#sink.write(bytes);
      this.#bytesWritten += bytes.length;
    } catch (error) {
      await this.#fail();
      throw knownError(error, this.#target, this.#options.signal);
    }
  }

  #encode(chunk: Uint8Array | string): Uint8Array {
    if (chunk instanceof Uint8Array) return chunk;
    if (typeof chunk !== "string")
      throw failure(this.#target, "EINVAL", "a chunk must be a string or a Uint8Array");
    if (!chunk.isWellFormed())
      throw failure(
        this.#target,
        "EINVAL",
        "content has an unpaired surrogate and is not valid Unicode",
      );
    return new TextEncoder().encode(chunk);
  }

  /** Fails early if the content can never be committed, before it fills the disk. */
  #requireFileRoom(moreBytes: number): void {
    const { maxFileBytes = Number.POSITIVE_INFINITY, maxTotalBytes = Number.POSITIVE_INFINITY } =
      this.#workspace.quotas;
    const kept = this.#mode === "append" ? this.#sizeBefore : 0;
    // Replacing a larger file is not growth, even when the workspace is over its quota.
    const most = Math.min(maxFileBytes, Math.max(maxTotalBytes, this.#sizeBefore));
    if (kept + this.#bytesWritten + moreBytes > most)
      throw failure(this.#target, "EDQUOT", `a file may hold at most ${most} bytes`);
  }

  /**
   * Parents are created by the commit. Until they exist the driver cannot open the file, so the content is buffered.
   */
  async #open(): Promise<DriverWriter> {
    const { driver } = this.#workspace;
    const parentsExist = (await missingParents(this.#workspace, this.#target, true)).length === 0;
    if (!driver.accelerate?.openWrite || !parentsExist)
      return new BufferedWriter(this.#workspace, this.#target, this.#options);
    return await driver.accelerate.openWrite(this.#target.path, this.#mode, this.#options);
  }

  async #commit(): Promise<WriteResult> {
    const { driver, usage } = this.#workspace;
    const stat = await driver.stat(this.#target.path, this.#options);
    await requireWritable(this.#workspace, this.#target, stat, this.#options);
    const before = stat?.sizeBytes ?? 0;
    const after = this.#mode === "append" ? before + this.#bytesWritten : this.#bytesWritten;
    const mayCreate = this.#options.createParents ?? true;
    const missing = stat ? [] : await missingParents(this.#workspace, this.#target, mayCreate);
    const growth = { bytes: after - before, nodes: missing.length + (stat ? 0 : 1) };
    await usage.requireRoom(this.#target, growth, after);
    const revision = await withParents(this.#workspace, this.#target, missing, async () => {
      this.#sink ??= await this.#open();
      return await this.#sink.commit();
    });
    usage.grew(growth);
    return Object.freeze({
      path: this.path,
      bytesWritten: this.#bytesWritten,
      mode: this.#mode,
      revision: revision ?? (await currentRevision(this.#workspace, this.#target)),
    });
  }

  /** Ignores errors of the cleanup, because the caller throws the original error. */
  async #fail(): Promise<void> {
    await this.#discard("failed").catch(() => {});
  }

  async #discard(state: "failed" | "closed"): Promise<void> {
    this.#state = state;
    const sink = this.#sink;
    this.#sink = undefined;
    await sink?.abort();
  }

  #requireOpen(): void {
    if (this.#state !== "open") throw failure(this.#target, "EBADF");
  }
}

/** Buffers the content and commits it in one write. */
class BufferedWriter implements DriverWriter {
  readonly #workspace: Workspace;
  readonly #target: Target;
  readonly #options: WriteOptions;
  #chunks: Uint8Array[] = [];

  constructor(workspace: Workspace, target: Target, options: WriteOptions) {
    this.#workspace = workspace;
    this.#target = target;
    this.#options = options;
  }

  write(bytes: Uint8Array): void {
    this.#chunks.push(bytes);
  }

  async commit(): Promise<string> {
    const whole = concatBytes(this.#chunks);
    this.#chunks = [];
    return await writeAndTell(this.#workspace.driver, this.#target.path, whole, this.#options);
  }

  abort(): void {
    this.#chunks = [];
  }
}
