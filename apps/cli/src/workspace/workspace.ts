import type { ChangeSet, FilesystemSnapshot, SnapshotableFilesystem } from "@wink/filesystem";
import type { HostFilesystem } from "@wink/filesystem/host";
import type { Session } from "@wink/session";
import type { ApplyReport, CommitOptions, CommitReport } from "@wink/workspace";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import { hostPrint } from "./host-print.js";
import { HostWriter } from "./host-writer.js";
import { BASE_TAG, type MountWorkspaceOptions, mountWorkspace } from "./mount-workspace.js";
import { readRecord, type WorkspaceTurn } from "./record-log.js";
import { type TransactionEnds, takeTurns } from "./turned-transactions.js";
import type { WorkspacePlace } from "./workspace-place.js";
import {
  type Applied,
  FinishApply,
  FinishUndo,
  GiveUpApply,
  GiveUpUndo,
  StartApply,
  StartUndo,
  WorkspaceRecord,
} from "./workspace-record.js";

export interface ApplyChangesOptions {
  /**
   * What to do about files that also changed in the directory. `merge` combines changes of
   * different lines.
   *
   * @default "refuse"
   */
  readonly onConflict?: "refuse" | "merge" | undefined;
  /** Only reports what would be done, including conflicts. @default false */
  readonly dryRun?: boolean | undefined;
}

/** Options for copying the directory: progress and cancellation. */
export type CopyOptions = Pick<MountWorkspaceOptions, "status" | "signal">;

/**
 * The persistent workspace of a directory: a copy for agents, its snapshots, and apply and undo.
 *
 * Several processes may have it open. Only `apply` and `undo` change the directory. It holds files
 * open, so `close` it.
 */
export class Workspace implements AsyncDisposable {
  readonly place: WorkspacePlace;
  /** The copy. Its transactions wait for those of other processes. */
  readonly filesystem: SnapshotableFilesystem;
  readonly #host: HostFilesystem;
  readonly #turn: WorkspaceTurn;
  readonly #writer: HostWriter;
  #refreshing: Promise<boolean> | undefined;

  /** Called by `openWorkspace`. */
  constructor(
    place: WorkspacePlace,
    host: HostFilesystem,
    turn: WorkspaceTurn,
    endsOf?: (workspace: Workspace) => TransactionEnds,
  ) {
    this.place = place;
    this.#host = host;
    this.filesystem = takeTurns(host, turn, endsOf?.(this));
    this.#turn = turn;
    this.#writer = new HostWriter(place, host);
  }

  /** The real path of its directory. */
  get directory(): string {
    return this.place.directory;
  }

  async close(): Promise<void> {
    await this.#host.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** The current record, including changes by other processes. */
  async record(): Promise<WorkspaceRecord> {
    const record = await readRecord(this.place.record);
    if (record === undefined) throw new CliError("The workspace was deleted in the meantime.");
    return record;
  }

  /** The changes since the files were copied or last applied. */
  async changes(): Promise<ChangeSet> {
    return await this.filesystem.diff(baseOf(await this.record()));
  }

  /**
   * Writes the changes to the directory: all of them or none. If the process is killed, the next
   * opening finishes or rolls them back. Rejects with an `ApplyConflictError` that names every file
   * that also changed in the directory.
   */
  async apply({ onConflict, dryRun = false }: ApplyChangesOptions = {}): Promise<ApplyReport> {
    return await this.#turn.run(async (record) => {
      const base = baseOf(record.state(WorkspaceRecord));
      const wasKnown = this.#isHostKnown(record);
      const beforeWriting = async ({ written, deleted, merged }: ApplyReport) => {
        const next = await this.filesystem.snapshot({ tag: BASE_TAG });
        const paths = { written: [...written], deleted: [...deleted], merged: [...merged] };
        record.dispatch(StartApply({ next, ...paths }));
      };
      try {
        const report = await this.#writer.apply(base, { onConflict, dryRun, beforeWriting });
        if (dryRun) return report;
        this.#finishApply(record, report.undoToken, wasKnown && report.merged.length === 0);
        await this.#releaseBases(record);
        return report;
      } catch (error) {
        // Recover now. If that fails too, the next opening recovers.
        await this.settle(record);
        throw error;
      }
    });
  }

  /**
   * Commits the changes to a branch of the directory's repository. The directory does not change,
   * and the changes can still be applied.
   */
  async commit(options: CommitOptions): Promise<CommitReport> {
    return await this.#turn.run((record) =>
      this.#writer.commit(baseOf(record.state(WorkspaceRecord)), options),
    );
  }

  /**
   * Undoes the last apply. Its changes are in the workspace again and can be applied again.
   * Resolves to the undone apply.
   *
   * @param asked the apply that the user confirmed; if another apply followed, nothing is
   * done
   */
  async undo(asked?: Applied): Promise<Applied> {
    return await this.#turn.run(async (record) => {
      const last = record.state(WorkspaceRecord).applied.at(-1);
      if (last === undefined) throw new CliError("Nothing to undo: nothing was applied from here.");
      const { undoToken } = last;
      if (asked !== undefined && asked.undoToken !== undoToken)
        throw new CliError("Another apply or undo happened in the meantime.", {
          exitCode: EXIT_CODES.refused,
          hint: "Nothing was done. Run `wink undo` again for the apply that is now the last.",
          directory: this.directory,
        });
      if (!(await this.#writer.settle()).includes(undoToken))
        throw new CliError("The last apply can no longer be undone.", {
          hint: "The undo data is stored for the last 20 applies only.",
        });
      const wasKnown = this.#isHostKnown(record);
      record.dispatch(StartUndo({ undoToken }));
      try {
        await this.#writer.undo(last.base, undoToken);
      } catch (error) {
        await this.settle(record);
        throw error;
      }
      record.dispatch(FinishUndo({ undoToken, hostPrint: this.#print(wasKnown) }));
      return last;
    });
  }

  /** The user's snapshots, newest first, without the workspace's own. */
  async snapshots(): Promise<readonly FilesystemSnapshot[]> {
    return (await this.filesystem.snapshots()).filter((snapshot) => !isBase(snapshot));
  }

  /**
   * Restores a snapshot in the workspace, and saves the previous state as `keepAs`. It does not
   * change the directory.
   */
  async restore(
    snapshot: FilesystemSnapshot,
    { keepAs, tag = "before the last restore" }: { readonly keepAs: string; readonly tag?: string },
  ): Promise<void> {
    await this.#turn.run(async () => {
      await this.filesystem.snapshot({ name: keepAs, tag });
      await this.filesystem.restore(snapshot);
    });
  }

  async deleteSnapshots(snapshots: readonly FilesystemSnapshot[]): Promise<void> {
    await this.#turn.run(async () => {
      for (const snapshot of snapshots) await this.filesystem.deleteSnapshot(snapshot);
    });
  }

  /**
   * Copies the directory again if it has changed and the workspace has no changes. Resolves to
   * whether it copied.
   */
  refresh(options: CopyOptions = {}): Promise<boolean> {
    // Concurrent reading calls share one copy.
    this.#refreshing ??= this.#refresh(options).finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  /**
   * Discards the changes: the workspace is a copy of the directory again. Saves the previous state
   * as `keepAs`.
   */
  async discard({ keepAs, ...options }: CopyOptions & { readonly keepAs: string }): Promise<void> {
    await this.#turn.run(async (record) => {
      await this.filesystem.snapshot({ name: keepAs, tag: "before changes were discarded" });
      await mountWorkspace(this.place, { ...options, filesystem: this.filesystem, record });
    });
  }

  /**
   * Finishes or rolls back what a killed process had started. Called with the lock, when the
   * workspace is opened.
   */
  async settle(record: Session): Promise<void> {
    const { applying, undoing, applied } = record.state(WorkspaceRecord);
    if (applying === null && undoing === null) return;
    const done = await this.#writer.settle();
    if (applying !== null) {
      const known = new Set(applied.map(({ undoToken }) => undoToken));
      const undoToken = done.find((token) => !known.has(token));
      if (undoToken === undefined) record.dispatch(GiveUpApply({}));
      else this.#finishApply(record, undoToken, false);
    }
    if (undoing !== null) {
      if (done.includes(undoing)) record.dispatch(GiveUpUndo({}));
      else record.dispatch(FinishUndo({ undoToken: undoing, hostPrint: "" }));
    }
  }

  async #refresh(options: CopyOptions): Promise<boolean> {
    return await this.#turn.run(async (record) => {
      options.status?.show("looking for changes of the directory");
      if (this.#isHostKnown(record)) return false;
      const { isEmpty } = await this.filesystem.diff(baseOf(record.state(WorkspaceRecord)));
      if (!isEmpty) return false;
      await mountWorkspace(this.place, { ...options, filesystem: this.filesystem, record });
      return true;
    });
  }

  #finishApply(record: Session, undoToken: string | undefined, wasKnown: boolean): void {
    record.dispatch(
      FinishApply({
        undoToken: undoToken ?? null,
        appliedAt: new Date().toISOString(),
        hostPrint: this.#print(wasKnown),
      }),
    );
  }

  /** Deletes base snapshots that are not needed for a comparison. */
  async #releaseBases(record: Session): Promise<void> {
    const { base, applied } = record.state(WorkspaceRecord);
    const kept = new Set(
      [base, ...applied.map((each) => each.base)].map((each) => each?.snapshotId),
    );
    for (const snapshot of await this.filesystem.snapshots())
      if (isBase(snapshot) && !kept.has(snapshot.snapshotId))
        await this.filesystem.deleteSnapshot(snapshot);
  }

  #isHostKnown(record: Session): boolean {
    const known = record.state(WorkspaceRecord).hostPrint;
    return known !== "" && known === hostPrint(this.place);
  }

  /**
   * The fingerprint after our own change. Stays empty if another program had changed the directory
   * before, so that this change is still noticed.
   */
  #print(wasKnown: boolean): string {
    return wasKnown ? hostPrint(this.place) : "";
  }
}

/** Whether a snapshot belongs to the workspace itself. Users cannot name, list or delete it. */
export function isBase({ name, tag }: FilesystemSnapshot): boolean {
  return name === undefined && tag === BASE_TAG;
}

function baseOf({ base }: WorkspaceRecord): FilesystemSnapshot {
  if (base !== null) return base;
  throw new CliError("The workspace is still empty.", {
    hint: "Another process is copying the directory; try again when it is done.",
  });
}
