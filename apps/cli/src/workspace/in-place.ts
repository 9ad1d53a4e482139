import { FilesystemError } from "@wink/filesystem";
import { isApplyConflictError } from "@wink/filesystem/host";
import type { WorkspaceTurn } from "./record-log.js";
import type { TransactionEnds } from "./turned-transactions.js";
import type { Workspace } from "./workspace.js";
import { FinishInPlace, StartInPlace, WorkspaceRecord } from "./workspace-record.js";

/**
 * Applies each transaction to the directory before it is committed, so that a call is done in both or in neither.
 *
 * Where the directory was changed meanwhile, the transaction is refused with `ESTALE`, and the model hears which file to read again.
 * Killed in the middle, the directory tells what came of it: the workspace is copied anew from there.
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

  /** It was applied, and then could not be committed. */
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
    "somebody changed it in the meantime; read it again and repeat what is still wanted";
  return new FilesystemError("ESTALE", { operation: "apply", path, reason });
}
