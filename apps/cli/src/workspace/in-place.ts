import { FilesystemError } from "@wink/filesystem";
import { isApplyConflictError } from "@wink/workspace";
import type { WorkspaceTurn } from "./record-log.js";
import type { TransactionEnds } from "./turned-transactions.js";
import type { Workspace } from "./workspace.js";
import { FinishInPlace, StartInPlace, WorkspaceRecord } from "./workspace-record.js";

/**
 * Applies each transaction to the directory before it commits, so that a call changes both or
 * neither.
 *
 * If another program changed the directory, the transaction fails with `ESTALE`, and the model
 * learns which file to read again. If the process is killed, the directory has the result, and the
 * next opening copies the workspace from it.
 */
export class InPlace implements TransactionEnds {
  readonly #workspace: Workspace;
  readonly #turn: WorkspaceTurn;

  constructor(workspace: Workspace, turn: WorkspaceTurn) {
    this.#workspace = workspace;
    this.#turn = turn;
  }

  async beforeCommit(): Promise<void> {
    if ((await this.#workspace.changes()).isEmpty) return;
    await this.#turn.run(async (record) => void record.dispatch(StartInPlace({})));
    try {
      await this.#workspace.apply();
    } catch (error) {
      await this.#turn.run(async (record) => void record.dispatch(FinishInPlace({})));
      if (isApplyConflictError(error)) throw staleFile(error.conflicts[0]?.path ?? ".");
      throw error;
    }
  }

  async afterCommit(): Promise<void> {
    await this.#finish();
  }

  /** The transaction was applied, but the commit failed. Undoes the apply. */
  async afterRollback(): Promise<void> {
    await this.#turn.run(async (record) => {
      if (record.state(WorkspaceRecord).inPlace) await this.#workspace.undo();
    });
    await this.#finish();
  }

  async #finish(): Promise<void> {
    await this.#turn.run(async (record) => {
      if (record.state(WorkspaceRecord).inPlace) record.dispatch(FinishInPlace({}));
    });
  }
}

function staleFile(path: string): FilesystemError {
  const reason =
    "another program changed it; read it again and repeat the change if it is still needed";
  return new FilesystemError("ESTALE", { operation: "apply", path, reason });
}
