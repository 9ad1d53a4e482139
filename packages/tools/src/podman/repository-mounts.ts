import { cpSync, lstatSync, mkdirSync, realpathSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import type { HostMount, MountReport } from "@wink/workspace";
import type { BindMount } from "./container-engine.js";
import type { ResolvedConfig } from "./resolve-config.js";

export interface RepositoryOptions {
  readonly config: ResolvedConfig;
  readonly mounts: readonly HostMount[];
  readonly allowedHostRoots: readonly string[];
  /** The host directory of the workspace's files. */
  readonly files: string;
}

/**
 * Shows a container the `.git` of each mounted directory, as `config.git` allows: as a read-only mount or as a copy.
 * Call it after the files are mounted and before the container starts.
 */
export function showRepositories(
  { config, mounts, allowedHostRoots, files }: RepositoryOptions,
  report: MountReport,
): readonly BindMount[] {
  if (config.git === "hidden") return [];
  const shown: BindMount[] = [];
  for (const [index, { hostPath }] of mounts.entries()) {
    const source = findRepository(hostPath, allowedHostRoots);
    const mountPath = report.mounts[index]?.mountPath ?? "/";
    if (source === undefined) continue;
    const place = join(files, mountPath, ".git");
    if (config.git === "copy") {
      // A link could escape the repository, and git needs none.
      const filter = (path: string) => !lstatSync(path).isSymbolicLink();
      cpSync(source, place, { recursive: true, filter, errorOnExist: true, force: false });
      continue;
    }
    const target = join(config.workspaceRoot, mountPath, ".git");
    // In `--mount`, a comma ends a path and a quote begins a quoted one.
    if (/[,"\n]/.test(source + target)) continue;
    mkdirSync(place, { mode: 0o755 });
    shown.push({ source, target, readOnly: true });
  }
  return shown;
}

/** Returns the `.git` directory of a mounted directory, if it is inside an allowed root and not a link. */
function findRepository(hostPath: string, allowedHostRoots: readonly string[]): string | undefined {
  for (const root of allowedHostRoots) {
    try {
      const path = join(realpathSync(resolve(root, hostPath)), ".git");
      const below = relative(realpathSync(root), path);
      const isInside = below !== ".." && !below.startsWith(`..${sep}`);
      if (isInside && lstatSync(path).isDirectory()) return path;
    } catch {
      // Not in this root, or not a repository.
    }
  }
  return undefined;
}
