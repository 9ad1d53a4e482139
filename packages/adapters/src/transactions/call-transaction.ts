import type { Filesystem, FilesystemTransaction, SnapshotableFilesystem } from "@wink/filesystem";
import type { ToolAccess } from "@wink/prompt";
import { type Session, SessionError, type SessionSnapshot } from "@wink/session";
import { type JournaledCall, journalOf } from "./call-journal.js";
import { behind, bindScope, type CallScope } from "./call-scope.js";
import { FilesystemHandle } from "./filesystem-handle.js";
import { type CallSignal, HandleState } from "./handle-state.js";
import { Rollback } from "./rollback.js";
import { SessionHandle } from "./session-handle.js";
import { SnapshotHandle } from "./snapshot-handle.js";
import { within } from "./within.js";

export interface CallTransactionOptions {
  readonly scope: CallScope;
  readonly access: ToolAccess;
  readonly session: Session;
  readonly filesystem: Filesystem;
  readonly toolCallId: string;
  readonly tool: string;
  readonly limit: CallSignal;
  readonly settleMs: number;
}

/** Files and session around one call: the handles for its handler, and the way back. */
export class CallTransaction {
  readonly session: SessionHandle;
  readonly filesystem: Filesystem;
  readonly #options: CallTransactionOptions;
  readonly #state: HandleState;
  readonly #transactions: FilesystemTransaction[] = [];
  #before: SessionSnapshot | undefined;
  #journaled: JournaledCall | undefined;
  #decided = false;
  #firstSequence = 0;
  #mustBeAlone = false;
  #begun = false;

  constructor(options: CallTransactionOptions) {
    const { scope, access, session, filesystem, toolCallId, limit } = options;
    this.#options = options;
    const state = isSnapshotable(filesystem)
      ? new HandleState(filesystem, limit, access === "read")
      : new HandleState(filesystem, limit, access === "read");
    this.#state = state;
    this.filesystem = isOfSnapshotable(state)
      ? new SnapshotHandle(state)
      : new FilesystemHandle(state);
    const beforeChange = () => this.#beforeChange();
    const beforeLook = () => this.#beforeLook();
    this.session = new SessionHandle({ target: session, toolCallId, beforeLook, beforeChange });
    bindScope(this.session, scope, session);
    bindScope(this.filesystem, scope, filesystem);
  }

  /** Whether a call that declared to read wanted the session beside others. */
  get mustBeAlone(): boolean {
    return this.#mustBeAlone;
  }

  get touched(): ReadonlySet<string> {
    return this.#state.touched;
  }

  get bytesWritten(): number {
    return this.#state.bytesWritten;
  }

  /** How many events the call has dispatched. */
  get sessionChanges(): number {
    return this.#before === undefined ? 0 : this.#lastSequence() - this.#firstSequence;
  }

  /** Whether the call is in force by its journal, so that it can no longer be undone. */
  get decided(): boolean {
    return this.#decided;
  }

  /** Whether the call may have done anything yet. */
  get begun(): boolean {
    return this.#begun;
  }

  /**
   * Starts to remember, at once where there is nothing to remember. Rejects when the files cannot be taken back,
   * and then nothing may run.
   */
  begin(): Promise<void> | undefined {
    if (this.#options.access !== "read") return this.#begin();
    this.#begun = true;
    return undefined;
  }

  async #begin(): Promise<void> {
    const { access, filesystem } = this.#options;
    this.#rememberSession();
    if (filesystem.readOnly) {
      this.#begun = true;
      return;
    }
    if (!isSnapshotable(filesystem)) throw new NotUndoable();
    const committedBy = this.#journaled?.committedBy;
    this.#transactions.push(await filesystem.begin({ full: access === "opaque", committedBy }));
    this.#begun = true;
    // An undo log sees single changes only; a whole state that is brought back needs a whole state to return to.
    this.#state.beforeRestore = async () => {
      if (access === "opaque" || this.#transactions.length > 1) return;
      this.#transactions.push(await filesystem.begin({ full: true, committedBy }));
    };
  }

  /** Refuses everything that the handler still does, and waits for what it has begun. Rejects when that takes too long. */
  revoke(): Promise<void> | undefined {
    // First what runs inside, which still needs the handles to undo itself.
    return this.#options.scope.end()?.then(() => this.#revokeHandles()) ?? this.#revokeHandles();
  }

  #revokeHandles(): Promise<void> | undefined {
    this.#state.revoke();
    if (this.#state.isIdle) return undefined;
    return within(this.#options.settleMs, this.#state.settle());
  }

  /** Puts in force what was done; at once where nothing could be. Can be tried again when it fails. */
  commit(): Promise<void> | undefined {
    if (this.#journaled === undefined && this.#transactions.length === 0) return undefined;
    return this.#commit();
  }

  async #commit(): Promise<void> {
    if (!this.#decided) this.#journaled?.commit();
    this.#decided = this.#journaled !== undefined;
    for (let last = this.#transactions.at(-1); last; last = this.#transactions.at(-1)) {
      await last.commit();
      this.#transactions.pop();
    }
    this.#journaled?.end();
  }

  /** The way back, for a call that is revoked. */
  rollback(reason: string): Rollback {
    const { session } = this.#options;
    return new Rollback({
      session,
      before: this.#before,
      transactions: this.#transactions,
      journaled: this.#journaled,
      reason,
    });
  }

  /** An earlier call that overlaps with this one may still change what is looked at. */
  #beforeLook(): void {
    const { scope, session, access } = this.#options;
    if (access !== "read" || this.#state.revoked || this.#before !== undefined) return;
    if (!scope.isFirst(behind(session))) this.#askToBeAlone();
  }

  #beforeChange(): void {
    const { scope, session } = this.#options;
    if (this.#state.revoked)
      throw new SessionError("session_closed", {
        subject: "change",
        reason: "the tool call that the session was lent to is over",
      });
    if (this.#before !== undefined) return;
    if (!scope.tryHoldAlone(behind(session))) this.#askToBeAlone();
    this.#rememberSession();
  }

  #askToBeAlone(): never {
    this.#mustBeAlone = true;
    throw new SessionError("session_busy", {
      subject: "session",
      reason: "other calls are at work; this call will be made again in its turn",
    });
  }

  #rememberSession(): void {
    const { session, toolCallId, tool } = this.#options;
    const before = session.snapshot();
    const { sequence } = before;
    this.#journaled = journalOf(session)?.begin({ toolCallId, tool, sequence });
    this.#before = before;
    this.#firstSequence = this.#lastSequence();
  }

  #lastSequence(): number {
    return this.#options.session.events.lastSequence;
  }
}

/** The files of a tool that writes have no transactions. */
export class NotUndoable extends Error {}

function isSnapshotable(filesystem: Filesystem): filesystem is SnapshotableFilesystem {
  return "begin" in filesystem && typeof filesystem.begin === "function";
}

function isOfSnapshotable(state: HandleState): state is HandleState<SnapshotableFilesystem> {
  return isSnapshotable(state.target);
}
