import { TimeSlices } from "../content/time-slices.js";
import type { WalkEntry, WalkOptions } from "../driver/driver-accelerators.js";
import type { VirtualPath } from "../path/virtual-path.js";
import type {
  Cut,
  GlobMatch,
  GlobOptions,
  GrepOptions,
  GrepResult,
} from "../protocol/filesystem.js";
import { globFiles } from "../search/glob/glob-files.js";
import { compileGlob, type GlobPattern } from "../search/glob/glob-pattern.js";
import { relativeTo, shouldEnter } from "../search/glob/should-enter.js";
import { compileGrep } from "../search/grep/grep-engine.js";
import { grepFiles } from "../search/grep/grep-files.js";
import { cannotMatch } from "../search/grep/look-into-file.js";
import { requireDirectory, requireNode } from "./find-node.js";
import { count } from "./page.js";
import { loadFile, walkTree } from "./walk-tree.js";
import type { Target, Workspace } from "./workspace.js";

export async function globWorkspace(
  workspace: Workspace,
  target: Target,
  pattern: string,
  { directories = false, maxMatches, signal }: GlobOptions,
): Promise<Cut<GlobMatch>> {
  const { limits } = workspace;
  const slices = new TimeSlices(signal);
  const compiled = compile(workspace, target, pattern);
  await requireDirectory(workspace, target);
  return await globFiles({
    entries: walk(workspace, target.path, compiled, { signal }),
    base: target.path,
    pattern: compiled,
    directories,
    maxMatches: Math.min(
      count(target, "maxMatches", maxMatches) ?? limits.maxGlobMatches,
      limits.maxGlobMatches,
    ),
    signal,
    slices,
  });
}

export async function grepWorkspace(
  workspace: Workspace,
  target: Target,
  pattern: string,
  { glob, maxMatches, ignoreCase = false, literal = false, signal }: GrepOptions,
): Promise<GrepResult> {
  const { driver, limits } = workspace;
  const { operation } = target;
  const slices = new TimeSlices(signal);
  const chosen = glob === undefined ? undefined : compile(workspace, target, glob);
  const engine = compileGrep(pattern, { operation, ignoreCase, literal, ...limits });
  const { kind } = await requireNode(workspace, target);
  const closed: VirtualPath[] = [];
  const options = {
    signal,
    unwanted: cannotMatch(engine, limits.maxGrepFileBytes),
    select: chosen && ((file: VirtualPath) => chosen.matches(relativeTo(target.path, file))),
    onClosed: (directory: VirtualPath) => closed.push(directory),
  };
  const entries =
    kind === "directory"
      ? walk(workspace, target.path, chosen, options)
      : [entryOf(workspace, target, kind)];
  return await grepFiles({
    entries,
    closed,
    base: target.path,
    engine,
    glob: chosen,
    maxMatches: Math.min(
      count(target, "maxMatches", maxMatches) ?? limits.maxGrepMatches,
      limits.maxGrepMatches,
    ),
    maxFileBytes: limits.maxGrepFileBytes,
    sizeOf: async (file) => (await driver.stat(file, { signal }))?.sizeBytes,
    signal,
    slices,
  });
}

function compile({ limits }: Workspace, { operation }: Target, pattern: string): GlobPattern {
  return compileGlob(pattern, { operation, ...limits });
}

function walk(
  { driver }: Workspace,
  base: VirtualPath,
  pattern: GlobPattern | undefined,
  options: WalkOptions,
) {
  return walkTree(driver, base, (path) => shouldEnter(path, base, pattern), options);
}

function entryOf(
  { driver }: Workspace,
  { path, options }: Target,
  kind: WalkEntry["kind"],
): WalkEntry {
  return { path, kind, load: (maxBytes) => loadFile(driver, path, maxBytes, options) };
}
