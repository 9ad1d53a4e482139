import { closestName, describeKind, findOptionProblem } from "@wink/filesystem/internal";
import { WorkspaceError } from "../error/workspace-error.js";
import type { HostMount, MountHostOptions } from "./host-mount.js";

const MOUNT_KEYS = Object.keys({
  hostPath: true,
  mountPath: true,
  includeGlob: true,
  excludeGlob: true,
  gitignore: true,
  git: true,
  maxBytes: true,
  maxFiles: true,
  maxFileBytes: true,
  followSymlinks: true,
  includeSecrets: true,
} satisfies Record<keyof HostMount, true>);

const OPTION_KEYS = Object.keys({
  allowedHostRoots: true,
  onProgress: true,
  rejectHardlinks: true,
  trackChanges: true,
  stateDirectory: true,
  signal: true,
  weakContainment: true,
  networkFilesystem: true,
} satisfies Record<keyof MountHostOptions, true>);

/** Throws for options that TypeScript refuses, because a program may be JavaScript. */
export function checkMounts(mounts: unknown, options: unknown): void {
  if (!Array.isArray(mounts))
    throw invalid(
      "mounts",
      `They must be an array, got ${describeKind(mounts)}. Write [{ hostPath: "src" }].`,
    );
  for (const [index, mount] of mounts.entries()) checkMount(`mounts[${index}]`, mount);
  const problem = findOptionProblem(options ?? {}, OPTION_KEYS);
  if (problem !== undefined) throw invalid("mountHost", problem);
  checkRoots(options);
}

/** Throws unless `allowedHostRoots` is an array of strings. */
export function checkRoots(options: unknown): void {
  const roots: unknown = (options as Partial<MountHostOptions> | undefined)?.allowedHostRoots;
  if (roots === undefined)
    throw invalid(
      "allowedHostRoots",
      'It is missing. List the directories that may be mounted, such as ["."].',
    );
  if (!Array.isArray(roots) || roots.some((root) => typeof root !== "string"))
    throw invalid(
      "allowedHostRoots",
      `It must be an array of strings, got ${describeKind(roots)}. Write ["."].`,
    );
}

function checkMount(subject: string, mount: unknown): void {
  if (typeof mount !== "object" || mount === null || Array.isArray(mount))
    throw invalid(
      subject,
      `It must be an object, got ${describeKind(mount)}. Write { hostPath: "src" }.`,
    );
  const problem = findOptionProblem(mount, MOUNT_KEYS);
  if (problem !== undefined) throw invalid(subject, withGlobHint(mount, problem));
  const { hostPath, includeGlob, excludeGlob, git } = mount as Readonly<Record<string, unknown>>;
  if (typeof hostPath !== "string")
    throw invalid(`${subject}.hostPath`, `It must be a string, got ${describeKind(hostPath)}.`);
  for (const [name, globs] of Object.entries({ includeGlob, excludeGlob }))
    if (
      globs !== undefined &&
      (!Array.isArray(globs) || globs.some((glob) => typeof glob !== "string"))
    )
      throw invalid(
        `${subject}.${name}`,
        `It must be an array of strings, got ${describeKind(globs)}.`,
      );
  if (git === undefined) return;
  const rev: unknown = (git as { readonly rev?: unknown } | null)?.rev;
  if (typeof rev !== "string")
    throw invalid(
      `${subject}.git.rev`,
      `It must be a string, got ${describeKind(rev)}. Write { rev: "main" }.`,
    );
  if ((mount as HostMount).gitignore)
    throw invalid(`${subject}.gitignore`, "A revision has only committed files. Remove gitignore.");
}

/** `exclude` and `include` are the most frequent mistakes. */
function withGlobHint(mount: object, problem: string): string {
  const unknown = Object.keys(mount).find((key) => !MOUNT_KEYS.includes(key)) ?? "";
  const meant = closestName(`${unknown}Glob`, MOUNT_KEYS);
  if (problem.includes("Did you mean") || meant === undefined) return problem;
  return `unknown option '${unknown}'. Did you mean '${meant}'?`;
}

function invalid(subject: string, reason: string): WorkspaceError {
  return new WorkspaceError("INVALID_OPTION", { subject, reason });
}
