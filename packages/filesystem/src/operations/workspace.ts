import type { FilesystemDriver } from "../driver/driver.js";
import type { DriverSnapshots } from "../driver/driver-snapshots.js";
import { normalizePath } from "../path/normalize-path.js";
import { ROOT, type VirtualPath } from "../path/virtual-path.js";
import type { CallOptions } from "../protocol/filesystem.js";
import { FilesystemError } from "../protocol/filesystem-error.js";
import type { FilesystemLimits, FilesystemQuotas } from "../protocol/limits.js";
import type { UsageKeeper } from "./usage-keeper.js";

/** What every operation works on: a driver and the rules that apply to it. */
export interface Workspace {
  readonly driver: FilesystemDriver;
  readonly snapshots: DriverSnapshots;
  readonly limits: FilesystemLimits;
  readonly quotas: FilesystemQuotas;
  readonly readOnly: boolean;
  readonly mountPoint: string | undefined;
  readonly allowGit: boolean;
  readonly usage: UsageKeeper;
}

/** A caller's path after normalising, with what an error about it needs. */
export interface Target {
  /** The public method. */
  readonly operation: string;
  /** The path as the caller wrote it. */
  readonly given: string;
  readonly path: VirtualPath;
  /** Whether the path ends with a slash. */
  readonly namesDirectory: boolean;
  /** The caller's options. Every call of the driver gets them, because they have the signal. */
  readonly options: CallOptions;
}

export function targetOf(
  workspace: Workspace,
  operation: string,
  given: string,
  options: CallOptions,
): Target {
  const { mountPoint } = workspace;
  if (given === ".") return { operation, given, path: ROOT, namesDirectory: true, options };
  const { path, namesDirectory } = normalizePath(given, { operation, mountPoint });
  return { operation, given, path, namesDirectory, options };
}

/** @param advice what a developer can do, as a sentence */
export function failure(
  { operation, given }: Pick<Target, "operation" | "given">,
  code: FilesystemError["code"],
  reason?: string,
  advice?: string,
): FilesystemError {
  return new FilesystemError(code, { operation, path: given, reason, advice });
}
