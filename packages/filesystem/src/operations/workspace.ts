import type { FilesystemDriver } from "../driver/driver.js";
import { normalizePath } from "../path/normalize-path.js";
import type { FilesystemLimits, FilesystemQuotas } from "../protocol/limits.js";
import type { Target } from "./target.js";
import type { UsageKeeper } from "./usage-keeper.js";

/** What every operation works on: a driver and the rules that apply to it. */
export interface Workspace {
  readonly driver: FilesystemDriver;
  readonly limits: FilesystemLimits;
  readonly quotas: FilesystemQuotas;
  readonly readOnly: boolean;
  readonly mountPoint: string | undefined;
  readonly allowGit: boolean;
  readonly usage: UsageKeeper;
}

export function targetOf(workspace: Workspace, operation: string, given: string): Target {
  const { driver, mountPoint } = workspace;
  if (driver.knows?.(given)) return { operation, given, path: given, namesDirectory: false };
  const { path, namesDirectory } = normalizePath(given, { operation, mountPoint });
  return { operation, given, path, namesDirectory };
}
