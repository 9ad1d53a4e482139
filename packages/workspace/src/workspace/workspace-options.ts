import type { CallOptions } from "@wink/filesystem";
import type { MountHostOptions } from "../mount/host-mount.js";
import type { WorkspaceFilter } from "./workspace-record.js";

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

export interface RestoreOptions {
  /** The name of the snapshot that saves the previous state. */
  readonly keepAs: string;
  /** A note for people. @default a note of what was done */
  readonly tag?: string | undefined;
}
