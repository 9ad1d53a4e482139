import type { FileChange } from "@wink/filesystem";
import type { ApplyReport } from "@wink/filesystem/host";
import type { Session } from "@wink/session";
import type { AgentWorkspace } from "../agent/agent.js";

/** How the files of a run are kept. */
export const BACKENDS = ["host", "memory", "podman"] as const;
export type Backend = (typeof BACKENDS)[number];

export interface RunChanges {
  readonly files: readonly FileChange[];
  /** A patch that `git apply` takes in the directory. */
  readonly patch: string;
}

export interface MountedFiles {
  readonly fileCount: number;
  readonly totalBytes: number;
  /** What was not copied. A directory stands for all that is in it. */
  readonly leftOut: readonly { readonly reason: string }[];
}

/** The files that a run works on, and the way back to the directory they come from. */
export interface RunWorkspace extends AsyncDisposable {
  readonly backend: Backend;
  /** The directory, links resolved. */
  readonly directory: string;
  /** What was copied; `undefined` when that happens with the section. */
  readonly mounted: MountedFiles | undefined;
  /** Where the session is written unless `--log` says otherwise; `undefined` when nothing is kept on disk. */
  readonly logFile: string | undefined;
  /** Whether changes outlive the process, for `wink changes`, `diff` and `apply`. */
  readonly isKept: boolean;
  /** The section for the prompt. Called once. */
  createSection(session: Session): Promise<AgentWorkspace>;
  changes(): Promise<RunChanges>;
  /** All or nothing. Rejects with an `ApplyConflictError`. */
  apply(): Promise<ApplyReport>;
}

export interface OpenRunWorkspaceOptions {
  /** The directory to copy. */
  readonly directory: string;
  /** What a container is made of. @default that of the sandbox */
  readonly image?: string | undefined;
  /** Whether changes of an earlier run that were not applied are there to go on from. */
  readonly goesOn: boolean;
  /** Ends the copying. */
  readonly signal: AbortSignal;
}
