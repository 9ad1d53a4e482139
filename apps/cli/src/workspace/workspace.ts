import type { ChangeSet, FilesystemSnapshot } from "@wink/filesystem";
import type { ApplyReport, HostFilesystem } from "@wink/filesystem/host";
import type { Session } from "@wink/session";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import { hostPrint } from "./host-print.js";
import { HostWriter } from "./host-writer.js";
import { BASE_TAG, type MountWorkspaceOptions, mountWorkspace } from "./mount-workspace.js";
import { readRecord, type WorkspaceTurn } from "./record-log.js";
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
   * What to do about files that were changed in the directory meanwhile. `merge` combines changes of different lines.
   *
   * @default "refuse"
   */
  readonly onConflict?: "refuse" | "merge" | undefined;
  /** Finds out what would be done, conflicts included, and does nothing. @default false */
  readonly dryRun?: boolean | undefined;
}

/** For what copies the directory: who hears of it, and what gives it up. */
export type CopyOptions = Pick<MountWorkspaceOptions, "onProgress" | "signal">;

/**
 * The workspace of a directory, kept on disk: a copy that agents work on, its snapshots, and the way back.
 *
 * Several processes may have it open. Nothing reaches the directory but by `apply` and `undo`. It holds files open: `close` it.
 */
export class Workspace implements AsyncDisposable {
  readonly place: WorkspacePlace;
  /** The copy. Its transactions wait for those of other processes. */
  readonly filesystem: HostFilesystem;
  readonly #turn: WorkspaceTurn;
  readonly #writer: HostWriter;
  #refreshing: Promise<boolean> | undefined;

  /** Made by `openWorkspace`. */
  constructor(place: WorkspacePlace, filesystem: HostFilesystem, turn: WorkspaceTurn) {
    this.place = place;
    this.filesystem = filesystem;
    this.#turn = turn;
    this.#writer = new HostWriter(place, filesystem);
  }

  /** The directory it is of, links resolved. */
  get directory(): string {
    return this.place.directory;
  }

  async close(): Promise<void> {
    await this.filesystem.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** What is known of it now, other processes included. */
  async record(): Promise<WorkspaceRecord> {
    const record = await readRecord(this.place.record);
    if (record === undefined) throw new CliError("The workspace was removed meanwhile.");
    return record;
  }

  /** What has become of the files since they were copied or last applied. */
  async changes(): Promise<ChangeSet> {
    return await this.filesystem.diff(baseOf(await this.record()));
  }

  /**
   * Writes the changes to the directory: all of them or none. Killed in the middle, they are finished or taken back at the
   * next opening. Rejects with an `ApplyConflictError` that names every file that was changed there meanwhile.
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
        // Settled at once; only where not even that can be done it waits for the next opening.
        await this.settle(record);
        throw error;
      }
    });
  }

  /**
   * Takes back what was applied last. Its changes are in the workspace again, to be applied or not. Resolves to what was taken back.
   *
   * @param asked what a person was asked about: where something else is the last by now, nothing is done
   */
  async undo(asked?: Applied): Promise<Applied> {
    return await this.#turn.run(async (record) => {
      const last = record.state(WorkspaceRecord).applied.at(-1);
      if (last === undefined)
        throw new CliError("There is nothing to take back: nothing was applied from here.");
      const { undoToken } = last;
      if (asked !== undefined && asked.undoToken !== undoToken)
        throw new CliError("Something else was applied or taken back meanwhile.", {
          exitCode: EXIT_CODES.refused,
          hint: "Nothing was done. wink undo asks again, about what is the last now.",
        });
      if (!(await this.#writer.settle()).includes(undoToken))
        throw new CliError("What was applied last can no longer be taken back.", {
          hint: "What it takes is kept for the last 20 times, and is not there any more.",
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

  /** The states that somebody kept, the newest first; what is kept for the workspace itself is not among them. */
  async snapshots(): Promise<readonly FilesystemSnapshot[]> {
    return (await this.filesystem.snapshots()).filter((snapshot) => !isBase(snapshot));
  }

  /** Brings the workspace back to a snapshot, and keeps the state before under `keepAs`. The directory is not touched. */
  async restore(
    snapshot: FilesystemSnapshot,
    { keepAs }: { readonly keepAs: string },
  ): Promise<void> {
    await this.#turn.run(async () => {
      await this.filesystem.snapshot({ name: keepAs, tag: "before the last restore" });
      await this.filesystem.restore(snapshot);
    });
  }

  async deleteSnapshots(snapshots: readonly FilesystemSnapshot[]): Promise<void> {
    await this.#turn.run(async () => {
      for (const snapshot of snapshots) await this.filesystem.deleteSnapshot(snapshot);
    });
  }

  /**
   * Copies the directory again where somebody has changed it and the workspace has no changes of its own. Resolves to whether it did.
   */
  refresh(options: CopyOptions = {}): Promise<boolean> {
    // Calls that read overlap, and each wants the files as they are: one copy will do for all.
    this.#refreshing ??= this.#refresh(options).finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  /** Gives up the changes: the workspace is a copy of the directory again. The state before is kept under `keepAs`. */
  async discard({ keepAs, ...options }: CopyOptions & { readonly keepAs: string }): Promise<void> {
    await this.#turn.run(async (record) => {
      await this.filesystem.snapshot({ name: keepAs, tag: "before changes were given up" });
      await mountWorkspace(this.place, { ...options, filesystem: this.filesystem, record });
    });
  }

  /** Comes to an end with what a killed process had begun. Called in turn, when the workspace is opened. */
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

  /** Gives back what states hold that nobody will compare with again. */
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

  /** After a change of our own. Where others had changed the directory before it, that is not to be forgotten. */
  #print(wasKnown: boolean): string {
    return wasKnown ? hostPrint(this.place) : "";
  }
}

/** Whether a snapshot is kept for the workspace itself and nobody's to name, list or delete. */
export function isBase({ name, tag }: FilesystemSnapshot): boolean {
  return name === undefined && tag === BASE_TAG;
}

function baseOf({ base }: WorkspaceRecord): FilesystemSnapshot {
  if (base !== null) return base;
  throw new CliError("The workspace has not been filled yet.", {
    hint: "Something is copying the directory right now; try again when it is done.",
  });
}
