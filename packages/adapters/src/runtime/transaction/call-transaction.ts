import { type Filesystem, isSnapshotable } from "@wink/filesystem";
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

/**
 * The transaction of one call over files and session: the handles for its handler, and the
 * rollback.
 */
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
      const state = new HandleState(files, limit, !changesFiles(access));
      this.#state = state;
      this.#levels = new TransactionLevels(files, () => scope.nesting);
      this.filesystem = new SnapshotHandle(state, this.#levels);
    } else {
      this.#state = new HandleState(filesystem, limit, !changesFiles(access));
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

  /**
   * Whether a read-only call used the session while other calls were running, so it must be
   * repeated alone.
   */
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

  /** Whether the journal has committed the call, so that it can no longer be rolled back. */
  get decided(): boolean {
    return this.#decided;
  }

  /** Whether the call may already have changed something. */
  get begun(): boolean {
    return this.#begun;
  }

  /**
   * Saves the state to roll back to. Synchronous if there is nothing to save. Rejects if the
   * files have no transactions, and with `InsideTransaction` if the caller may still roll them
   * back. In both cases the handler must not run.
   */
  begin(): Promise<void> | undefined {
    if (this.#options.access !== "read") return this.#begin();
    this.#begun = true;
    return undefined;
  }

  async #begin(): Promise<void> {
    const { scope, access, filesystem } = this.#options;
    const hasFiles = changesFiles(access) && !filesystem.readOnly;
    if (hasFiles) this.#leaveOuter = scope.parent?.holderOf(behind(filesystem))?.nesting.openCall();
    this.#rememberSession();
    if (!hasFiles) {
      this.#begun = true;
      return;
    }
    if (this.#levels === undefined) throw new NotUndoable();
    const committedBy = this.#journaled?.committedBy;
    await this.#levels.begin({ full: access === "opaque", committedBy });
    this.#begun = true;
  }

  /**
   * Refuses further operations of the handler and waits for the running ones. Rejects if that
   * takes too long.
   */
  revoke(): Promise<void> | undefined {
    // End nested calls first: they still need the handles for their rollback.
    return this.#options.scope.end()?.then(() => this.#revokeHandles()) ?? this.#revokeHandles();
  }

  #revokeHandles(): Promise<void> | undefined {
    this.#state.revoke();
    if (this.#state.isIdle) return undefined;
    return within(this.#options.settleMs, this.#state.settle());
  }

  /**
   * Commits the call. Synchronous if the call could not change anything. Can be retried if it
   * fails.
   */
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

  /** Creates the rollback of a revoked call. */
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

  /** An earlier call that still runs may change the session, so a read must wait for it. */
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
        reason: "the tool call that owns this session handle has ended",
      });
    if (this.#before !== undefined) return;
    if (!scope.tryHoldAlone(behind(session))) this.#askToBeAlone();
    this.#rememberSession();
  }

  #askToBeAlone(): never {
    this.#mustBeAlone = true;
    throw new SessionError("session_busy", {
      subject: "session",
      reason: "other calls are running; this call will be repeated after them",
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

/** Whether a call with this access may change files. */
export function changesFiles(access: ToolAccess): boolean {
  return access === "write" || access === "opaque";
}

/** Thrown when the files of a writing tool have no transactions. */
export class NotUndoable extends Error {}
