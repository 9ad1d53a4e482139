import { mkdir, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { HostFilesystem } from "@wink/filesystem/host";
import type { Session } from "@wink/session";
import { type ReturnPoint, SessionLog } from "@wink/session/jsonl";
import { keepStates } from "../runtime/call/keep-states.js";
import { ToolInvoked, ToolRolledBack } from "../runtime/context/run-events.js";
import { type CallEntry, journalCalls } from "../runtime/transaction/call-journal.js";
import { DiskRunError } from "./disk-run-error.js";
import type { DiskRunOptions } from "./disk-run-options.js";
import { JournalFile } from "./journal-file.js";

const REASON = "the process ended";

/** A call that was under way when an earlier process ended, and that is undone. */
export type InterruptedCall = Pick<CallEntry, "toolCallId" | "tool">;

interface DiskRunParts {
  readonly sessionFile: string;
  readonly log: SessionLog;
  readonly filesystem: HostFilesystem;
  readonly journal: JournalFile;
}

/**
 * A run that outlives its process: a session in a log, a directory of this machine to work in, and a journal
 * that both hang on.
 *
 * Every tool call on `session` is in force in both or in neither, whenever the process is killed. What was under
 * way is undone when the run is opened again, before anybody sees it.
 */
export class DiskRun implements AsyncDisposable {
  /**
   * Opens the run that is kept in `directory`, or begins one.
   *
   * Rejects with `session_locked` while another process has it, with a `DiskRunError`, and as `HostFilesystem.open` and `SessionLog.open`
   * do. `directory` lies outside the workspace, and is for runs alone.
   */
  static async open(directory: string, options: DiskRunOptions): Promise<DiskRun> {
    const { workspace, fsync = false } = options;
    await requireOutside(directory, workspace);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    // The real one: the files remember where their journal is.
    const place = await realpath(directory);
    const sessionFile = join(place, "session.jsonl");
    let journal: JournalFile | undefined;
    let filesystem: HostFilesystem | undefined;
    // Asked when this process has the run to itself. Files first: until the journal says so, nothing is done for good.
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
      if (journal === undefined || filesystem === undefined) throw new Error("nobody has asked");
      recordInterrupted(log.session, journal);
      if (options.snapshots) keepStates(filesystem, options.snapshots);
      return new DiskRun({ sessionFile, log, filesystem, journal });
    } catch (error) {
      // What cannot be closed must not keep the lock.
      await filesystem?.close().catch(() => {});
      journal?.close();
      await log?.close();
      throw error;
    }
  }

  /** Everything that the run knows. Closed with the run. */
  readonly session: Session;
  /** The workspace, for the section that brings the tools. Closed with the run. */
  readonly filesystem: HostFilesystem;
  /** The session's log, for `replayLog` and `followLog` of `@wink/session/jsonl`. */
  readonly sessionFile: string;
  /** What was undone when the run was opened, the first call first. */
  readonly interrupted: readonly InterruptedCall[];
  readonly #parts: DiskRunParts;
  readonly #detach: () => void;
  #closing: Promise<void> | undefined;

  private constructor(parts: DiskRunParts) {
    this.#parts = parts;
    this.session = parts.log.session;
    this.filesystem = parts.filesystem;
    this.sessionFile = parts.sessionFile;
    this.interrupted = parts.journal.interrupted.map(({ toolCallId, tool }) => ({
      toolCallId,
      tool,
    }));
    this.#detach = journalCalls(this.session, parts.journal);
  }

  /** Ends the run for this process. A call that is still under way is undone, now or when the run is opened again. */
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
      this.#detach();
      journal.close();
      // Last: with it goes the lock.
      await log.close();
    }
  }
}

/** Says in the session what became of the calls, and then in the journal that they are done with. */
function recordInterrupted(session: Session, journal: JournalFile): void {
  const { sequence } = session;
  const paths: readonly string[] = [];
  for (const { toolCallId, tool, sequence: from } of journal.interrupted) {
    const events = session.events.filter(
      (event) => event.sequence > from && event.rolledBack?.reason === REASON,
    ).length;
    session.dispatch(
      ToolRolledBack({ toolCallId, tool, reason: REASON, paths, events, complete: true }),
    );
    session.dispatch(
      ToolInvoked({
        ...{ toolCallId, tool, sequence },
        ...{ status: "aborted", success: false, durationMs: 0 },
      }),
    );
  }
  for (const { id } of journal.interrupted) journal.undone(id);
}

async function requireOutside(directory: string, workspace: string): Promise<void> {
  const inside = await realPlaceOf(resolve(workspace));
  const place = await realPlaceOf(resolve(directory));
  const below = relative(inside, place);
  if (below === ".." || below.startsWith(`..${sep}`) || isAbsolute(below)) return;
  const reason = "a run is kept outside of the directory that its tools work in";
  throw new DiskRunError("directory_inside", reason);
}

/** Where a path leads, also one that is not there yet. */
async function realPlaceOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    if (!isMissing || dirname(path) === path) throw error;
    return join(await realPlaceOf(dirname(path)), basename(path));
  }
}
