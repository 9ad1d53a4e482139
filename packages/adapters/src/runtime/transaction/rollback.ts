import type { Session, SessionSnapshot } from "@wink/session";
import type { JournaledCall } from "./call-journal.js";
import type { TransactionLevels } from "./transaction-levels.js";

interface RollbackOptions {
  readonly session: Session;
  /** `undefined` if the call has not changed the session. */
  readonly before: SessionSnapshot | undefined;
  /** `undefined` if the files have no transactions. */
  readonly levels: TransactionLevels | undefined;
  /** Called when the files are restored. */
  readonly onFilesBack: (() => void) | undefined;
  /** `undefined` without a journal, or if the call wrote nothing to it. */
  readonly journaled: JournaledCall | undefined;
  readonly reason: string;
}

/**
 * Restores files and session to the state before a call.
 *
 * If a step fails, `run` can be called again. Completed steps are not repeated.
 */
export class Rollback {
  readonly reason: string;
  readonly #session: Session;
  readonly #before: SessionSnapshot | undefined;
  readonly #levels: TransactionLevels | undefined;
  readonly #onFilesBack: (() => void) | undefined;
  #sessionIsBack: boolean;
  #journaled: JournaledCall | undefined;

  constructor({ session, before, levels, onFilesBack, journaled, reason }: RollbackOptions) {
    this.reason = reason;
    this.#session = session;
    this.#before = before;
    this.#levels = levels;
    this.#onFilesBack = onFilesBack;
    this.#sessionIsBack = before === undefined;
    this.#journaled = journaled;
  }

  /**
   * Rejects with an `AggregateError` if files or session could not be restored. Takes no signal,
   * because a rollback must not be cancelled.
   */
  async run(): Promise<void> {
    const errors: unknown[] = [];
    try {
      await this.#levels?.rollBackAll();
      this.#onFilesBack?.();
    } catch (error) {
      errors.push(error);
    }
    try {
      this.#restoreSession();
      if (errors.length === 0) this.#forget();
    } catch (error) {
      errors.push(error);
    }
    if (errors.length > 0) throw new AggregateError(errors, "the call could not be undone");
  }

  #forget(): void {
    this.#journaled?.undone();
    this.#journaled = undefined;
  }

  #restoreSession(): void {
    if (this.#sessionIsBack || this.#before === undefined) return;
    this.#session.restore(this.#before, { reason: this.reason });
    if (this.#session.sequence !== this.#before.sequence)
      throw new Error("the session was not restored to its state before the call");
    this.#sessionIsBack = true;
  }
}
