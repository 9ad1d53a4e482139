import type { FileChange, FilesystemSnapshot, SnapshotableFilesystem } from "@wink/filesystem";
import { type FileState, type NodeState, readState } from "./file-state.js";
import type { MergeConflict } from "./merge-conflict.js";

/** A file that differs between the base and the fork. */
export interface ChangedFile {
  readonly path: string;
  readonly base: FileState | undefined;
  readonly theirs: FileState | undefined;
}

/**
 * Everything that a subagent changed in its fork. It is read into memory, so the fork can be
 * closed.
 */
export interface ForkChanges {
  readonly changes: readonly FileChange[];
  readonly files: readonly ChangedFile[];
  /** New empty directories. */
  readonly made: readonly string[];
  /** Deleted directories, deepest first. */
  readonly removed: readonly string[];
  /** Changes that cannot be read and written as a file. */
  readonly notCarried: readonly MergeConflict[];
}

/** Reads what changed since `base`, and restores the fork to `base`. */
export async function readForkChanges(
  fork: SnapshotableFilesystem,
  base: FilesystemSnapshot,
): Promise<ForkChanges> {
  const now = await fork.snapshot();
  const { files: changes } = await fork.diff(base, now);
  const read = (path: string) => readState(fork, path);
  const { paths, theirs, gone } = await readAfter(changes, read);
  await fork.restore(base);
  const before = await readAll(paths, read);
  return compare(changes, { paths, theirs, gone, before }, leftOutOf(base, now));
}

type ReadNode = (path: string) => Promise<NodeState>;

/** Collects what changed between two states that can be read at the same time. */
export async function readStateChanges(
  changes: readonly FileChange[],
  { base, theirs }: { readonly base: ReadNode; readonly theirs: ReadNode },
): Promise<ForkChanges> {
  const after = await readAfter(changes, theirs);
  return compare(changes, { ...after, before: await readAll(after.paths, base) }, []);
}

interface Sides {
  readonly paths: readonly string[];
  readonly before: NodeStates;
  readonly theirs: NodeStates;
  /** The parent directories of `paths` that no longer exist. */
  readonly gone: Set<string>;
}

/** A diff lists only files, so the directories above them are read too. */
async function readAfter(
  changes: readonly FileChange[],
  read: ReadNode,
): Promise<Omit<Sides, "before">> {
  const paths = [...new Set(changes.flatMap(({ path, oldPath = path }) => [oldPath, path]))];
  const theirs = await readAll(paths, read);
  const above = await readAll(new Set(paths.flatMap(ancestorsOf)), read);
  const gone = [...above].filter(([, { kind }]) => kind !== "directory").map(([path]) => path);
  return { paths, theirs, gone: new Set(gone) };
}

function compare(
  changes: readonly FileChange[],
  { paths, before, theirs, gone }: Sides,
  notCarried: MergeConflict[],
): ForkChanges {
  const files: ChangedFile[] = [];
  const made: string[] = [];
  // Directories of changed files are created with these files, so only empty ones are listed in
  // `made`.
  const filled = new Set(
    paths.filter((path) => theirs.get(path)?.kind === "file").flatMap(ancestorsOf),
  );
  for (const path of paths) {
    const [from, to] = [before.get(path), theirs.get(path)];
    if (from?.kind === "other" || to?.kind === "other") notCarried.push(conflictAt(path));
    else if (from?.kind === "file" || to?.kind === "file")
      files.push({ path, base: fileOf(from), theirs: fileOf(to) });
    if (to?.kind === "directory" && from?.kind !== "directory" && !filled.has(path))
      made.push(path);
    if (from?.kind === "directory" && to?.kind !== "directory") gone.add(path);
  }
  const removed = [...gone].sort((a, b) => depthOf(b) - depthOf(a));
  return { changes, files, made, removed, notCarried };
}

type NodeStates = ReadonlyMap<string, NodeState>;

async function readAll(paths: Iterable<string>, read: ReadNode): Promise<NodeStates> {
  const states = new Map<string, NodeState>();
  for (const path of paths) states.set(path, await read(path));
  return states;
}

/**
 * Files that a snapshot could not store are reported, because they would be lost silently. Paths
 * that the host's policy excludes are ignored.
 */
function leftOutOf(base: FilesystemSnapshot, now: FilesystemSnapshot): MergeConflict[] {
  const before = new Set(base.leftOut?.map(({ path }) => path));
  return (now.leftOut ?? [])
    .filter(({ path, reason }) => reason !== "excluded" && !before.has(path))
    .map(({ path }) => conflictAt(path));
}

function conflictAt(path: string): MergeConflict {
  const reason = "not-carried";
  return { path, reason, base: undefined, ours: undefined, theirs: undefined, keptAt: undefined };
}

function fileOf(state: NodeState | undefined): FileState | undefined {
  return state?.kind === "file" ? state : undefined;
}

/** The parent directories of a path, outermost first, without the root. */
export function ancestorsOf(path: string): string[] {
  const names = path.split("/").slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join("/"));
}

function depthOf(path: string): number {
  return path.split("/").length;
}
