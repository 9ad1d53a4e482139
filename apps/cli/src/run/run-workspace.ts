import type { AgentWorkspace } from "@wink/adapters";
import type { Run, StoredRunOptions } from "@wink/adapters/run";
import type { ChangeSet, SnapshotableFilesystem } from "@wink/filesystem";
import type { Session } from "@wink/session";
import type {
  ApplyOptions,
  ApplyReport,
  MountLeftOut,
  RunOutcome,
  WorkspaceFilter,
} from "@wink/workspace";

/** Where the files of a run are stored. */
export const BACKENDS = ["host", "memory", "overlay", "podman"] as const;
/** `--store` puts the files into a store instead. */
export type Backend = (typeof BACKENDS)[number] | "store";

interface CopiedFiles {
  readonly fileCount: number;
  readonly totalBytes: number;
  readonly leftOut: readonly MountLeftOut[];
}

/** Where a run is recorded. */
interface RunRecordingPlace {
  /** Makes the directory of the run, if `--log` does not name one. */
  createDirectory(): string;
  /** The store that the run shares with others. @default its own */
  readonly storeDirectory?: string | undefined;
  /** Whether the states of the files are stored. @default true */
  readonly states?: boolean | undefined;
}

/** The files of a run, and how to apply them to their directory. */
export interface RunWorkspace extends AsyncDisposable {
  readonly backend: Backend;
  /** The real path of the directory. */
  readonly directory: string;
  /** The copied files. `undefined` if creating the section does the copying. */
  readonly copied: CopiedFiles | undefined;
  /** The files that the agent did not see, if they are known only at the end. @default `copied` lists it */
  leftOut?(): readonly MountLeftOut[];
  /** Where the run is recorded. */
  readonly recording: RunRecordingPlace;
  /** Whether changes outlive the process, also if the run fails. */
  readonly isKept: boolean;
  /** Opens the files before the section. Called for a run that continues. @default the section opens them */
  openFilesystem?(): Promise<SnapshotableFilesystem>;
  /** Creates the section for the prompt. Called once. */
  createSection(session: Session, filesystem?: SnapshotableFilesystem): Promise<AgentWorkspace>;
  /** Opens the run if it is not in a directory. @default `Run.open` with the directory of `recording` */
  openRun?(settings: StoredRunOptions): Promise<Run>;
  /** The name of a run that is not in a directory. */
  readonly runName?: string | undefined;
  changes(): Promise<ChangeSet>;
  /** Applies all changes or none. Rejects with an `ApplyConflictError`. */
  apply(progress: Pick<ApplyOptions, "onProgress">): Promise<ApplyReport>;
  /** Saves the changes for `wink changes`, `diff` and `apply`. `undefined` if they cannot be saved. */
  keep(): Promise<RunOutcome | undefined>;
}

export interface OpenRunWorkspaceOptions {
  /** A git revision to work on, in memory or through an overlay. @default the files on disk */
  readonly rev?: string | undefined;
  /** The id of the files in the store that the run starts with. @default a copy of the directory */
  readonly base?: string | undefined;
  /** The directory to copy. */
  readonly directory: string;
  /** Which files are copied. */
  readonly filter: WorkspaceFilter;
  /** The container image. @default the sandbox image */
  readonly image?: string | undefined;
  /** Whether the run starts with the unapplied changes of an earlier run. Otherwise they become a snapshot. */
  readonly keepsChanges: boolean;
  /** Whether an earlier run is resumed. Its files are in the workspace already. @default false */
  readonly isResumed?: boolean | undefined;
  /** Cancels the copying. */
  readonly signal: AbortSignal;
}
