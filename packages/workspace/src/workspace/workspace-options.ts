import type { CallOptions } from "@wink/filesystem";
import { findOptionProblem } from "@wink/filesystem/internal";
import { checkOptions } from "../error/check-options.js";
import { WorkspaceError } from "../error/workspace-error.js";
import type { MountHostOptions } from "../mount/host-mount.js";
import type { WorkspaceFilter } from "./workspace-record.js";
import type { WorkspaceRuns } from "./workspace-runs.js";

export interface OpenWorkspaceOptions
  extends CallOptions,
    Pick<MountHostOptions, "onProgress">,
    WorkspaceFilter {
  /**
   * Where workspaces are stored: private to the user, and outside of the directory. @default `wink` in
   * `$XDG_STATE_HOME` or `~/.local/state`
   */
  readonly stateDirectory?: string | undefined;
  /** Whether to create a missing workspace. Otherwise that is an error. @default true */
  readonly create?: boolean | undefined;
  /**
   * Whether each call first brings changes of the directory at its paths into the workspace. @default false: only
   * `refresh` does
   */
  readonly follow?: boolean | undefined;
  /**
   * Whether each transaction is written to the directory when it commits. Use it only while the workspace has no
   * changes. @default false
   */
  readonly inPlace?: boolean | undefined;
  /** Receives an error of `follow`; the call then sees the old files. @default errors are ignored */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** How long to wait for other processes. @default 30_000 */
  readonly waitMs?: number | undefined;
}

export interface SelectOptions extends CallOptions {
  /** Only these files, directories and globs. @default everything */
  readonly paths?: readonly string[] | undefined;
}

export interface KeepAsOptions {
  /** The name of the snapshot that saves the previous state. */
  readonly keepAs: string;
  /** A note for people. @default a note about the call */
  readonly tag?: string | undefined;
}

export interface WorkspaceInfo {
  /** The real path of the directory. */
  readonly directory: string;
  /** Where its workspace is stored. */
  readonly stateDirectory: string;
  readonly exists: boolean;
  readonly runs: WorkspaceRuns;
}

const OPTIONS: Readonly<Record<keyof OpenWorkspaceOptions, true>> = {
  stateDirectory: true,
  create: true,
  follow: true,
  inPlace: true,
  onError: true,
  waitMs: true,
  include: true,
  exclude: true,
  includeSecrets: true,
  includeIgnored: true,
  onProgress: true,
  signal: true,
};

/** Refuses what the types forbid but an untyped caller may pass. */
export function checkOpenOptions(directory: unknown, options: unknown): void {
  const problem =
    typeof directory === "string" && directory !== ""
      ? (storeProblem(options) ?? findOptionProblem(options, Object.keys(OPTIONS)))
      : "the directory must be a path.";
  if (problem !== undefined)
    throw new WorkspaceError("INVALID_OPTION", { subject: "Workspace", reason: problem });
}

/** Runs have this option, so users expect it here, too. */
function storeProblem(options: unknown): string | undefined {
  if (typeof options !== "object" || options === null || !("store" in options)) return undefined;
  return "a workspace has no option 'store'. Open the run with Run.open({ store, id }) or its files with StoredFilesystem.open(store, id), and pass its changes to workspace.keep(changes).";
}

const FILTER = ["include", "exclude", "includeSecrets", "includeIgnored"];
const SELECT = ["paths", "signal"];
/** The options of each method of a workspace. */
const CALL_OPTIONS = {
  changes: SELECT,
  apply: ["paths", "hunks", "dryRun", "onConflict", "signal", "onProgress"],
  commit: ["branch", "message", "author", "onConflict", "signal"],
  undo: ["paths", "undoToken", "onProgress"],
  refresh: ["paths", "filter", "onProgress", "signal"],
  discard: [...SELECT, "keepAs", "tag"],
  restore: ["keepAs", "tag"],
  merge: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type WorkspaceCall = keyof typeof CALL_OPTIONS;

/** Refuses options of a call that the types forbid but an untyped caller may pass. */
export function checkCall(call: WorkspaceCall, options: unknown): void {
  checkOptions(`Workspace.${call}`, options, CALL_OPTIONS[call]);
  const { filter } = options as { readonly filter?: unknown };
  if (filter !== undefined) checkOptions("filter", filter, FILTER);
}

export function notOpened(): WorkspaceError {
  const reason = "its constructor is private. Use Workspace.open.";
  return new WorkspaceError("INVALID_OPTION", { subject: "Workspace", reason });
}
