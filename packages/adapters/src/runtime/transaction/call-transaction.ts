import { type Filesystem, isSnapshotable, type PathChange } from "@wink/filesystem";
import type { ToolAccess } from "@wink/prompt";
import type { Session, SessionEvent, SessionSnapshot } from "@wink/session";
import type { JournaledCall } from "./call-journal.js";
import { resourceOf } from "./call-resource.js";
import type { CallScope } from "./call-scope.js";
import { CoveringEvents } from "./covering-events.js";
import { FilesystemHandle } from "./filesystem-handle.js";
import { type CallSignal, HandleState } from "./handle-state.js";
import { type CallMeta, SessionHandle } from "./session-handle.js";
import { SnapshotHandle } from "./snapshot-handle.js";
import { TransactionLevels } from "./transaction-levels.js";
import { withTimeout } from "./with-timeout.js";

export interface CallTransactionOptions {
  readonly scope: CallScope;
  readonly session: Session;
  readonly filesystem: Filesystem;
  readonly meta: CallMeta;
  readonly tool: string;
  readonly limit: CallSignal;
  readonly settleMs: number;
}

/**
 * The transaction of one call over files and session: the handles for its handler and policies,
 * the commit and the rollback.
 */
export class CallTransaction {
  readonly session: SessionHandle;
  readonly filesystem: Filesystem;
  readonly #options: CallTransactionOptions;
  readonly #state: HandleState;
  readonly #levels: TransactionLevels | undefined;
  readonly #events = new CoveringEvents();
  /** The paths of `files.change` events. */
  readonly #recorded = new Set<string>();
  #leaveOuter: (() => void) | undefined;
  /** `undefined` if the session has not changed, or is restored. */
  #before: SessionSnapshot | undefined;
  #journaled: JournaledCall | undefined;
  #decided = false;
  #firstSequence = 0;
  #begun = false;
  #lastChanges: readonly PathChange[] | undefined;
  #isOpaque = false;

  constructor(options: CallTransactionOptions) {
    const { scope, filesystem, meta, tool, limit } = options;
    const session = SessionHandle.targetOf(options.session);
    this.#options = { ...options, session };
    const owner = { scope, resource: resourceOf(filesystem) };
    if (isSnapshotable(filesystem)) {
      const files = SnapshotHandle.forCall(filesystem);
      const state = new HandleState(files, limit, tool);
      this.#state = state;
      this.#levels = new TransactionLevels(files, () => scope.nesting);
      const record = (event: SessionEvent) => void this.session.dispatch(event);
      this.filesystem = new SnapshotHandle(state, owner, { levels: this.#levels, record });
    } else {
      this.#state = new HandleState(filesystem, limit, tool);
      this.filesystem = new FilesystemHandle(this.#state, owner);
    }
    this.session = new SessionHandle({
      target: options.session,
      guard: this.#state,
      meta,
      scope,
      onDispatch: (event) => this.#events.add(event),
    });
  }

  /** The paths that the call changed, as the call wrote them. */
  get touched(): ReadonlySet<string> {
    return this.#state.touched;
  }

  /** Whether the call has a transaction on its files. */
  get hasFiles(): boolean {
    return this.#levels?.isEmpty === false;
  }

  get bytesWritten(): number {
    return this.#state.bytesWritten;
  }

  /** What the filesystem reported about a path that the handler used. */
  seen(path: string): ReturnType<HandleState["seen"]> {
    return this.#state.seen(path);
  }

  /**
   * Whether the call may have changed files in ways that its own events do not describe. A call
   * that could change files from outside the handles may always have.
   */
  get hasUnrecordedChanges(): boolean {
    if (this.#levels === undefined || this.#levels.isEmpty) return false;
    const { operations } = this.#state;
    return this.#isOpaque || !this.#events.coverAll(operations, (path) => this.seen(path));
  }

  /** How many events of the call describe changes of files. */
  get changeCount(): number {
    return this.#events.count + this.#recorded.size;
  }

  /** The paths in the events of the call and of the calls nested in it. */
  get mentioned(): ReadonlySet<string> {
    const inside = this.#options.scope.mentioned;
    const own = this.#events.mentioned;
    if (inside.size + this.#recorded.size === 0) return own;
    return new Set([...own, ...inside, ...this.#recorded]);
  }

  /** What the call has changed in its files. */
  async changes(): Promise<readonly PathChange[]> {
    if (!this.#state.revoked) return (await this.#levels?.changes()) ?? [];
    // The handler can change nothing any more, and an opaque call is scanned for its changes.
    this.#lastChanges ??= (await this.#levels?.changes()) ?? [];
    return this.#lastChanges;
  }

  /** Paths whose permissions were set: a scan sees only whether a file is executable. */
  get chmodded(): ReadonlySet<string> {
    return this.#isOpaque ? this.#state.chmodded : NO_PATHS;
  }

  /** The files themselves, which stay usable after the handler's access has ended. */
  get files(): Filesystem {
    return this.#options.filesystem;
  }

  async revisionOf(path: string): Promise<string | undefined> {
    // With several operations, a later one may have replaced what the write reported.
    const written = this.#state.operations === 1 ? this.seen(path)?.revision : undefined;
    return written ?? (await this.#options.filesystem.stat(path)).revision;
  }

  /** Dispatches an event about a changed path, after the handler has ended. */
  recordChange(path: string, event: SessionEvent): void {
    const { session, meta } = this.#options;
    session.dispatch(event, { meta: { ...meta } });
    this.#recorded.add(path);
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
   * Saves the state to roll back to, and lets the handler change what its access allows.
   * Synchronous if no files are saved. Rejects if the files have no transactions, and with
   * `InsideTransaction` if the caller may still roll them back. Then the handler must not run.
   */
  begin(access: ToolAccess): Promise<void> | undefined {
    const state = this.#state;
    state.mayChangeSession = access !== "read";
    if (changesFiles(access) && !this.#options.filesystem.readOnly) return this.#beginFiles(access);
    if (access !== "read") this.#saveSession();
    state.mayChangeFiles = changesFiles(access);
    this.#begun = true;
    return undefined;
  }

  async #beginFiles(access: ToolAccess): Promise<void> {
    const { scope, filesystem } = this.#options;
    this.#leaveOuter = scope.outer?.holderOf(resourceOf(filesystem))?.nesting.openCall();
    this.#saveSession();
    if (this.#levels === undefined) throw new NotUndoable();
    const committedBy = this.#journaled?.committedBy;
    this.#isOpaque = access === "opaque";
    await this.#levels.begin({ full: this.#isOpaque, committedBy });
    if (this.#isOutermost) resourceOf(filesystem).openChanges = () => this.changes();
    this.#state.mayChangeFiles = true;
    this.#begun = true;
  }

  /** Lets policies change the session, also for a tool that only reads. */
  letPoliciesRecord(): void {
    this.#state.mayChangeSession = true;
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
    return withTimeout(this.#options.settleMs, this.#state.settle());
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
    this.#leave();
    this.#journaled?.end();
  }

  /**
   * Restores files and session to the state before the call, after `revoke`. Rejects with an
   * `AggregateError` if that fails; then it can be called again, and completed steps are not
   * repeated. Takes no signal, because a rollback must not be cancelled.
   */
  async rollBack(reason: string): Promise<void> {
    const errors: unknown[] = [];
    try {
      await this.#levels?.rollBackAll();
      this.#leave();
    } catch (error) {
      errors.push(error);
    }
    try {
      this.#restoreSession(reason);
      if (errors.length === 0) this.#journaled?.undone();
    } catch (error) {
      errors.push(error);
    }
    if (errors.length > 0) throw new AggregateError(errors, "the call could not be undone");
    this.#journaled = undefined;
  }

  /** Can be called again when a commit or rollback is retried. */
  #leave(): void {
    this.#leaveOuter?.();
    const { scope, filesystem } = this.#options;
    if (this.#isOutermost) resourceOf(filesystem).openChanges = undefined;
    SnapshotHandle.settleNested(filesystem, this.#state.operations);
    scope.outer?.holderOf(resourceOf(filesystem))?.mention(this.mentioned);
    this.#state.operations = 0;
  }

  /** Whether no other call in progress has these files. */
  get #isOutermost(): boolean {
    const { scope, filesystem } = this.#options;
    return scope.outer?.holderOf(resourceOf(filesystem)) === undefined;
  }

  #restoreSession(reason: string): void {
    const { session } = this.#options;
    const before = this.#before;
    if (before === undefined) return;
    session.restore(before, { reason });
    if (session.sequence !== before.sequence)
      throw new Error("the session was not restored to its state before the call");
    this.#before = undefined;
  }

  #saveSession(): void {
    const { session, meta, tool } = this.#options;
    const { toolCallId } = meta;
    const before = session.snapshot();
    const { sequence } = before;
    this.#journaled = resourceOf(session).journal?.begin({ toolCallId, tool, sequence });
    this.#before = before;
    this.#firstSequence = this.#lastSequence();
  }

  #lastSequence(): number {
    return this.#options.session.events.lastSequence;
  }
}

const NO_PATHS: ReadonlySet<string> = new Set();

/** Whether a call with this access may change files. */
export function changesFiles(access: ToolAccess): boolean {
  return access === "write" || access === "opaque";
}

/** Thrown when the files of a writing tool have no transactions. */
export class NotUndoable extends Error {}
