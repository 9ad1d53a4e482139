import { cpSync, lstatSync, mkdirSync, realpathSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import type { HostMount, MountReport } from "@wink/filesystem/host";
import type { BindMount } from "./container-engine.js";
import type { ResolvedConfig } from "./resolve-config.js";

export interface RepositoryOptions {
  readonly config: ResolvedConfig;
  readonly mounts: readonly HostMount[];
  readonly allowedHostRoots: readonly string[];
  /** Where the files of the workspace are on the host. */
  readonly files: string;
}

/**
 * Lets a container see the `.git` of what was mounted, as far as it may: the repository itself, which the kernel
 * keeps it from changing, or a copy. Call when the mounts are in place and before a container is.
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
      // A link could lead anywhere; git needs none.
      const filter = (path: string) => !lstatSync(path).isSymbolicLink();
      cpSync(source, place, { recursive: true, filter, errorOnExist: true, force: false });
      continue;
    }
    const target = join(config.workspaceRoot, mountPath, ".git");
    // The engine takes a comma for the end of a path, and a quote for its beginning.
    if (/[,"\n]/.test(source + target)) continue;
    mkdirSync(place, { mode: 0o755 });
    shown.push({ source, target, readOnly: true });
  }
  return shown;
}

/** The `.git` directory of a mounted directory, when it lies in an allowed root and is no link. */
function findRepository(hostPath: string, allowedHostRoots: readonly string[]): string | undefined {
  for (const root of allowedHostRoots) {
    try {
      const path = join(realpathSync(resolve(root, hostPath)), ".git");
      const below = relative(realpathSync(root), path);
      const isInside = below !== ".." && !below.startsWith(`..${sep}`);
      if (isInside && lstatSync(path).isDirectory()) return path;
    } catch {
      // Not in this root, or no repository.
    }
  }
  return undefined;
}
