import type { Filesystem, SnapshotableFilesystem } from "@wink/filesystem";
import type { ToolAccess } from "@wink/prompt";
import { type Session, SessionError, type SessionSnapshot } from "@wink/session";
import { type JournaledCall, journalOf } from "./call-journal.js";
import { behind, bindScope, type CallScope } from "./call-scope.js";
import { FilesystemHandle } from "./filesystem-handle.js";
import { type CallSignal, HandleState } from "./handle-state.js";
import { Rollback } from "./rollback.js";
import { SessionHandle } from "./session-handle.js";
import { SnapshotHandle } from "./snapshot-handle.js";
import { TransactionLevels } from "./transaction-levels.js";
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
  readonly #levels: TransactionLevels | undefined;
  #leaveOuter: (() => void) | undefined;
  #before: SessionSnapshot | undefined;
  #journaled: JournaledCall | undefined;
  #decided = false;
  #firstSequence = 0;
  #mustBeAlone = false;
  #begun = false;

  constructor(options: CallTransactionOptions) {
    const { scope, access, session, filesystem, toolCallId, limit } = options;
    this.#options = options;
    if (isSnapshotable(filesystem)) {
      const files = SnapshotHandle.forCall(filesystem);
      const state = new HandleState(files, limit, access === "read");
      this.#state = state;
      this.#levels = new TransactionLevels(files, () => scope.nesting);
      this.filesystem = new SnapshotHandle(state, this.#levels);
    } else {
      this.#state = new HandleState(filesystem, limit, access === "read");
      this.filesystem = new FilesystemHandle(this.#state);
    }
    this.session = new SessionHandle({
      target: session,
      toolCallId,
      beforeLook: () => this.#beforeLook(),
      beforeChange: () => this.#beforeChange(),
      isOver: () => this.#state.revoked,
      keepOpen: (left) => this.#state.keepOpen(left),
    });
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
   * Saves the state to return to; synchronously where there is nothing to save. Rejects when the files cannot be
   * rolled back, and with `InsideTransaction` when the caller may still roll them back. Then nothing may run.
   */
  begin(): Promise<void> | undefined {
    if (this.#options.access !== "read") return this.#begin();
    this.#begun = true;
    return undefined;
  }

  async #begin(): Promise<void> {
    const { scope, access, filesystem } = this.#options;
    if (!filesystem.readOnly)
      this.#leaveOuter = scope.parent?.holderOf(behind(filesystem))?.nesting.openCall();
    this.#rememberSession();
    if (filesystem.readOnly) {
      this.#begun = true;
      return;
    }
    if (this.#levels === undefined) throw new NotUndoable();
    const committedBy = this.#journaled?.committedBy;
    await this.#levels.begin({ full: access === "opaque", committedBy });
    this.#begun = true;
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

  /** Commits the call; synchronously where it could not change anything. Can be tried again when it fails. */
  commit(): Promise<void> | undefined {
    if (this.#journaled === undefined && this.#levels?.isEmpty !== false) return undefined;
    return this.#commit();
  }

  async #commit(): Promise<void> {
    if (!this.#decided) this.#journaled?.commit();
    this.#decided = this.#journaled !== undefined;
    await this.#levels?.commitAll();
    this.#leaveOuter?.();
    this.#journaled?.end();
  }

  /** The way back, for a call that is revoked. */
  rollback(reason: string): Rollback {
    const { session } = this.#options;
    return new Rollback({
      session,
      before: this.#before,
      levels: this.#levels,
      onFilesBack: this.#leaveOuter,
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
