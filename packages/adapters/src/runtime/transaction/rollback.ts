import type { Session, SessionSnapshot } from "@wink/session";
import type { JournaledCall } from "./call-journal.js";
import type { TransactionLevels } from "./transaction-levels.js";

interface RollbackOptions {
  readonly session: Session;
  /** `undefined` when the call has not changed the session. */
  readonly before: SessionSnapshot | undefined;
  /** `undefined` where the files have no transactions. */
  readonly levels: TransactionLevels | undefined;
  /** Called when the files are where the call found them. */
  readonly onFilesBack: (() => void) | undefined;
  /** `undefined` when no journal is kept, or the call had nothing to put in it. */
  readonly journaled: JournaledCall | undefined;
  readonly reason: string;
}

/**
 * The return of files and session to where a call found them.
 *
 * It is done when both are back. What failed can be tried again; what is done is
 * not done twice.
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

  /** Rejects with an `AggregateError` when one of the two is not back. Takes no signal: it is never cut short. */
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
      throw new Error("the session is not where the call found it");
    this.#sessionIsBack = true;
  }
}
