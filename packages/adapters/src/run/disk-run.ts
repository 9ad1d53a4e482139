import { mkdir, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { HostFilesystem } from "@wink/filesystem/host";
import { EndToolCall } from "@wink/prompt/adapter";
import type { Session } from "@wink/session";
import { type ReturnPoint, SessionLog } from "@wink/session/jsonl";
import { AdapterError } from "../error/adapter-error.js";
import { snapshotAfterCalls } from "../runtime/call/snapshot-after-calls.js";
import { invalid, requireOptions } from "../runtime/context/require-options.js";
import { resourceOf } from "../runtime/transaction/call-resource.js";
import type { DiskRunOptions } from "./disk-run-options.js";
import { JournalFile } from "./journal-file.js";

const REASON = "the process ended";

/** A call that an earlier process did not end and that was rolled back. */
export interface InterruptedCall {
  readonly toolCallId: string;
  readonly tool: string;
}

const OPTIONS: readonly (keyof DiskRunOptions)[] = [
  ...(["workspace", "session", "filesystem", "snapshots", "fsync"] as const),
];

interface DiskRunParts {
  readonly sessionFile: string;
  readonly log: SessionLog;
  readonly filesystem: HostFilesystem;
  readonly journal: JournalFile;
}

/**
 * A run that survives its process: a session log, a workspace directory on this machine, and a
 * journal that links both.
 *
 * Every tool call on `session` is committed in both or in neither, even if the process is killed.
 * Open calls are rolled back when the run is opened again, before the caller gets it.
 */
export class DiskRun implements AsyncDisposable {
  /**
   * Opens the run in `directory`, or creates one.
   *
   * Rejects with `SESSION_LOCKED` while another process has the run open, with an `AdapterError`,
   * and like `HostFilesystem.open` and `SessionLog.open`. `directory` must be outside the
   * workspace and must contain nothing else.
   */
  static async open(directory: string, options: DiskRunOptions): Promise<DiskRun> {
    requireOptions("DiskRun.open", options, OPTIONS);
    const { workspace, fsync = false } = options;
    for (const [subject, path] of Object.entries({ directory, workspace }))
      if (typeof path !== "string" || path === "") throw invalid(subject, "it must be a path.");
    await requireOutside(directory, workspace);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    // The real path, because the filesystem stores where its journal is.
    const place = await realpath(directory);
    const sessionFile = join(place, "session.jsonl");
    let journal: JournalFile | undefined;
    let filesystem: HostFilesystem | undefined;
    // Runs once this process has the lock. Opens the files first, because nothing is final until
    // the journal says so.
    const returnTo = async (): Promise<ReturnPoint | undefined> => {
      journal = new JournalFile(join(place, "calls.jsonl"), fsync);
      filesystem = await HostFilesystem.open(workspace, {
        ...options.filesystem,
        fsync,
        storeDirectory: join(place, "snapshots"),
        takesOver: journal.path,
      });
      const [first] = journal.interrupted;
      return first && { sequence: first.sequence, reason: REASON };
    };
    let log: SessionLog | undefined;
    try {
      log = await SessionLog.open(sessionFile, { ...options.session, fsync, returnTo });
      if (journal === undefined || filesystem === undefined)
        throw new Error("SessionLog.open did not call returnTo");
      recordInterrupted(log.session, journal);
      if (options.snapshots) snapshotAfterCalls(filesystem, options.snapshots);
      return new DiskRun({ sessionFile, log, filesystem, journal });
    } catch (error) {
      // A part that fails to close must not keep the lock.
      await filesystem?.close().catch(() => {});
      journal?.close();
      await log?.close();
      throw error;
    }
  }

  /** The session of the run. Closed with the run. */
  readonly session: Session;
  /** The workspace, for the section with the tools. Closed with the run. */
  readonly filesystem: HostFilesystem;
  /** The session's log, for `replayLog` and `followLog` of `@wink/session/jsonl`. */
  readonly sessionFile: string;
  /** The calls that were rolled back when the run was opened, in the order in which they began. */
  readonly interrupted: readonly InterruptedCall[];
  readonly #parts: DiskRunParts;
  #closing: Promise<void> | undefined;

  private constructor(parts: DiskRunParts) {
    if (!(parts?.log instanceof SessionLog)) throw invalid("DiskRun", "use DiskRun.open().");
    this.#parts = parts;
    this.session = parts.log.session;
    this.filesystem = parts.filesystem;
    this.sessionFile = parts.sessionFile;
    this.interrupted = parts.journal.interrupted.map(({ toolCallId, tool }) => ({
      toolCallId,
      tool,
    }));
    resourceOf(this.session).journal = parts.journal;
  }

  /**
   * Closes the run in this process. A call that is still running is rolled back, now or when the
   * run is opened again.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    const { log, filesystem, journal } = this.#parts;
    try {
      await filesystem.close();
    } finally {
      resourceOf(this.session).journal = undefined;
      journal.close();
      // Last, because this releases the lock.
      await log.close();
    }
  }
}

/**
 * Records the rolled-back calls in the session first, and then marks them as ended in the
 * journal.
 */
function recordInterrupted(session: Session, journal: JournalFile): void {
  const { sequence } = session;
  for (const { toolCallId, tool, sequence: from } of journal.interrupted) {
    const events = session.events.filter(
      (event) => event.sequence > from && event.rolledBack?.reason === REASON,
    ).length;
    const undone = { reason: REASON, paths: [], events, complete: true };
    const ended = { status: "aborted", success: false, durationMs: 0, undone };
    session.dispatch(EndToolCall({ toolCallId, prompt: "", tool, sequence, ...ended }));
  }
  for (const { id } of journal.interrupted) journal.undone(id);
}

async function requireOutside(directory: string, workspace: string): Promise<void> {
  const inside = await realPlaceOf(resolve(workspace));
  const place = await realPlaceOf(resolve(directory));
  const below = relative(inside, place);
  if (below === ".." || below.startsWith(`..${sep}`) || isAbsolute(below)) return;
  throw new AdapterError("DIRECTORY_INSIDE", { subject: "directory of the run" });
}

/** Resolves symbolic links, also for a path that does not exist yet. */
async function realPlaceOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    if (!isMissing || dirname(path) === path) throw error;
    return join(await realPlaceOf(dirname(path)), basename(path));
  }
}
