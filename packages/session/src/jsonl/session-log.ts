import { mkdir, open, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { ProcessLock } from "@wink/filesystem/host";
import { describeKind } from "@wink/filesystem/internal";
import { invalid, requireOptions, requirePath } from "../define/check-argument.js";
import { SessionError } from "../define/session-error.js";
import type { JournalEntry } from "../session/journal.js";
import { Session } from "../session/session.js";
import { LOG_VERSION } from "./log-record.js";
import { LogWriter } from "./log-writer.js";
import { type Replayed, replayFile, replayLines } from "./replay-log.js";
import { REPLAY_OPTIONS, type ReplayOptions } from "./replayer.js";
import { lockWriter } from "./writer-lock.js";

export interface SessionLogOptions extends ReplayOptions {
  /** The id of the session if the log is new. @default a random UUID */
  readonly id?: string;
  /** The session for a new log. Rejected if the log already has one. @default a new session */
  readonly session?: Session;
  /**
   * Whether each event is flushed to disk. Without it, events survive the end of the process, but not a power failure.
   * @default false
   */
  readonly fsync?: boolean;
  /**
   * Called when this process has the lock and before the log is read. Returns the state that the session returns to
   * first. @default the state at the end of the log
   */
  readonly returnTo?: () => ReturnPoint | undefined | Promise<ReturnPoint | undefined>;
}

/** A state in the log of a session. */
export interface ReturnPoint {
  /** The value of `session.sequence` in that state. */
  readonly sequence: number;
  /** Stored with the events that are rolled back. */
  readonly reason: string;
}

/** A log that is not a file: its lines so far, and where further lines go. Only one writer has it. */
export interface LogLines {
  /** Complete lines, without their newlines. */
  readonly lines: readonly string[];
  /** Stores a line with its newline, or throws. */
  append(bytes: Uint8Array): void;
}

const LOG_OPTIONS = [...REPLAY_OPTIONS, "id", "session", "fsync", "returnTo"];

/** A session whose events are written to a file before they are committed. */
export class SessionLog implements AsyncDisposable {
  /**
   * Opens the log at `path` for this process only and replays it, or starts a new log. Rejects with `SESSION_LOCKED`
   * while another writer has it open. A log that is not a file is given by its lines.
   */
  static async open(path: string | LogLines, options: SessionLogOptions = {}): Promise<SessionLog> {
    requireOptions("SessionLog.open", options, LOG_OPTIONS);
    if (options.session !== undefined && !(options.session instanceof Session))
      throw invalid("session", `it must be a Session, got ${describeKind(options.session)}.`);
    if (isLogLines(path)) return await SessionLog.#openLines(path, options);
    requirePath("SessionLog.open", path);
    const target = await resolveTarget(path);
    const lock = await lockWriter(target);
    try {
      const returnPoint = await options.returnTo?.();
      const replayed = await replayExisting(target, options, returnPoint);
      const writer = () => LogWriter.ofFile(target, replayed.endBytes, options.fsync ?? false);
      return SessionLog.#continue(writer, lock, replayed, options, returnPoint);
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  static async #openLines(target: LogLines, options: SessionLogOptions): Promise<SessionLog> {
    const returnPoint = await options.returnTo?.();
    const lines = target.lines.map((text) => ({ text, endBytes: 0 }));
    const returnTo = returnPoint?.sequence;
    const replayed = await replayLines(() => lines, replayOptions(options), { returnTo });
    const sink = { append: (bytes: Uint8Array) => target.append(bytes), flush() {}, close() {} };
    const writer = () => new LogWriter(sink);
    return SessionLog.#continue(writer, { release() {} }, replayed, options, returnPoint);
  }

  static #continue(
    writer: () => LogWriter,
    lock: Pick<ProcessLock, "release">,
    replayed: Replayed,
    options: SessionLogOptions,
    returnPoint: ReturnPoint | undefined,
  ): SessionLog {
    if (replayed.session && options.session)
      throw new SessionError("ARGUMENT_INVALID", "session", "the log already contains a session");
    if (returnPoint !== undefined) requireState(replayed, returnPoint);
    const log = new SessionLog(writer(), lock, replayed, options);
    if (returnPoint !== undefined) log.#returnTo(replayed, returnPoint);
    return log;
  }

  readonly session: Session;
  readonly #writer: LogWriter;
  readonly #lock: Pick<ProcessLock, "release">;
  readonly #detach: () => void;
  /** The initial state of the log. */
  readonly #first: { readonly sequence: number; readonly lastSequence: number };
  #closing: Promise<void> | undefined;

  private constructor(
    writer: LogWriter,
    lock: Pick<ProcessLock, "release">,
    replayed: Replayed,
    options: SessionLogOptions,
  ) {
    if (!(writer instanceof LogWriter)) throw invalid("SessionLog", "use SessionLog.open().");
    this.#writer = writer;
    this.#lock = lock;
    this.session = replayed.session ?? options.session ?? createSession(options);
    this.#first = replayed.firstState ?? this.#start();
    this.#detach = this.session.attach({ write: (entry) => this.#write(entry) });
  }

  /** Also closes the session, because later changes would not be logged. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    // Later changes are refused immediately, so none is missing in the log.
    const closing = this.session.close();
    this.#detach();
    try {
      this.#writer.close();
    } finally {
      this.#lock.release();
      await closing;
    }
  }

  #returnTo({ returnState }: Replayed, { sequence, reason }: ReturnPoint): void {
    if (this.session.sequence !== sequence) this.session.restore(returnState, { reason });
  }

  #start(): { readonly sequence: number; readonly lastSequence: number } {
    const { lastSequence } = this.session.events;
    const state = this.session.toJSON();
    this.#writer.write({ kind: "start", version: LOG_VERSION, lastSequence, state });
    return { sequence: this.session.sequence, lastSequence };
  }

  #write(entry: JournalEntry): void {
    if (entry.kind === "event") {
      this.#writer.write(entry);
      return;
    }
    const { snapshot, ...record } = entry;
    if (record.kind === "load") {
      this.#writer.write({ ...record, state: snapshot.toJSON() });
      return;
    }
    const isInLog =
      record.sequence > this.#first.lastSequence || record.sequence === this.#first.sequence;
    this.#writer.write(isInLog ? record : { ...record, state: snapshot.toJSON() });
  }
}

function requireState({ session, returnState }: Replayed, { sequence }: ReturnPoint): void {
  if (returnState !== undefined || (session?.sequence ?? 0) === sequence) return;
  throw new SessionError(
    "EVENT_UNKNOWN",
    `event ${sequence}`,
    "the log does not contain this state",
  );
}

/** Resolves links, so that two paths of one file share one lock. */
async function resolveTarget(path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  const named = join(await realpath(dirname(path)), basename(path));
  return await realpath(named).catch(() => named);
}

async function replayExisting(
  path: string,
  options: SessionLogOptions,
  returnPoint: ReturnPoint | undefined,
): Promise<Replayed> {
  const rest = replayOptions(options);
  const file = await open(path, "a+", 0o600).catch((cause: unknown) => {
    throw new SessionError("LOG_FAILED", "log", "the file cannot be opened for writing", { cause });
  });
  try {
    return await replayFile(file, rest, { returnTo: returnPoint?.sequence });
  } finally {
    await file.close();
  }
}

function replayOptions(options: SessionLogOptions): ReplayOptions {
  const { id: _, session: __, fsync: ___, returnTo: ____, ...rest } = options;
  return rest;
}

function isLogLines(path: string | LogLines): path is LogLines {
  return (
    typeof path === "object" && Array.isArray(path?.lines) && typeof path.append === "function"
  );
}

function createSession(given: SessionLogOptions): Session {
  const { prepare, fsync: _, session: __, returnTo: ___, ...options } = given;
  const session = new Session(options);
  prepare?.(session);
  return session;
}
