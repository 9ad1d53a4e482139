import { FilesystemError } from "@wink/filesystem";
import { isApplyConflictError } from "../error/apply-error.js";
import type { Workspace } from "./workspace.js";
import type { WorkspaceParts } from "./workspace-parts.js";

/**
 * Applies each transaction to the directory before it commits, so that a call changes both or neither.
 *
 * If another program changed the directory, the transaction fails with `ESTALE`, and the model learns which file to
 * read again. If the process is killed, the directory has the result, and the next opening takes it over.
 */
export class InPlace {
  readonly #workspace: Pick<Workspace, "changes" | "apply" | "undo">;
  readonly #parts: WorkspaceParts;

  constructor(workspace: Pick<Workspace, "changes" | "apply" | "undo">, parts: WorkspaceParts) {
    this.#workspace = workspace;
    this.#parts = parts;
  }

  async beforeCommit(): Promise<void> {
    if ((await this.#workspace.changes()).isEmpty) return;
    this.#parts.save({ inPlace: true });
    try {
      await this.#workspace.apply();
    } catch (error) {
      this.#parts.save({ inPlace: false });
      if (isApplyConflictError(error)) throw staleFile(error.conflicts[0]?.path ?? ".");
      throw error;
    }
  }

  async afterCommit(): Promise<void> {
    if (this.#parts.record.inPlace) this.#parts.save({ inPlace: false });
  }

  /** The transaction was applied, but the commit failed. Undoes the apply. */
  async afterRollback(): Promise<void> {
    if (!this.#parts.record.inPlace) return;
    await this.#workspace.undo();
    this.#parts.save({ inPlace: false });
  }
}

function staleFile(path: string): FilesystemError {
  const reason =
    "another program changed it; read it again and repeat the change if it is still needed";
  return new FilesystemError("ESTALE", { operation: "apply", path, reason });
}
