import type { SnapshotableFilesystem } from "@wink/filesystem";
import type { Session } from "@wink/session";
import { invalid } from "../runtime/context/require-options.js";
import type { InterruptedCall } from "./end-open-calls.js";
import { OpenedRun, openRun } from "./open-run.js";
import type { RunHeader } from "./run-header.js";
import type { RunOptions } from "./run-options.js";

/**
 * A run as a durable object: its log, its transcript, the states of its files, and its subagents with theirs. It is
 * the only writer of its directory; `readRun` reads it.
 *
 * Everything that is evaluated on `session` is recorded. With `workspace`, every tool call is committed in files and
 * session or in neither, even if the process is killed. Open calls are rolled back when the run is opened again, before
 * the caller gets it.
 */
export class Run implements AsyncDisposable {
  /**
   * Opens the run in `directory`, or creates one.
   *
   * Rejects with `SESSION_LOCKED` while another process has the run open, with an `AdapterError`, and like
   * `HostFilesystem.open` and `SessionLog.open`. `directory` must be outside the workspace and must contain nothing
   * else.
   */
  static async open(directory: string, options: RunOptions): Promise<Run> {
    return new Run(await openRun(directory, options));
  }

  /** The real path of the run's directory. */
  readonly directory: string;
  /** The session of the run. Closed with the run. */
  readonly session: Session;
  /** The files, for the section with the tools. A filesystem that the caller gave stays open. */
  readonly filesystem: SnapshotableFilesystem;
  /** The calls of an earlier process that were rolled back when the run was opened, in the order of their start. */
  readonly interrupted: readonly InterruptedCall[];
  readonly #opened: OpenedRun;
  #closing: Promise<void> | undefined;

  private constructor(opened: OpenedRun) {
    if (!(opened instanceof OpenedRun)) throw invalid("Run", "use Run.open().");
    this.#opened = opened;
    this.directory = opened.place.path;
    this.session = opened.session;
    this.filesystem = opened.filesystem;
    this.interrupted = opened.interrupted;
  }

  get id(): string {
    return this.header.id;
  }

  /** What is known about the run as a whole. */
  get header(): RunHeader {
    return this.#opened.recording.header;
  }

  /**
   * Closes the run in this process. A call that is still running is rolled back, now or when the run is opened again.
   */
  close(): Promise<void> {
    this.#closing ??= this.#opened.close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
