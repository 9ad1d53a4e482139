import { parentPath, type VirtualPath } from "../path/virtual-path.js";
import type { PathChange } from "../snapshots/path-change.js";
import { modeOf, type TreeEntry, type TreeView } from "../snapshots/tree-view.js";

/** The changes that turn `before` into `after`, two views of one backend. */
export async function pathChanges(
  before: TreeView,
  after: TreeView,
): Promise<readonly PathChange[]> {
  const unlike = before.entriesUnlike?.(after);
  const old = await byPath(unlike?.mine ?? before.entries());
  const current = await byPath(unlike?.theirs ?? after.entries());
  return [...deletions(old, current), ...withoutFullDirectories(additions(old, current))];
}

/** Removes created directories that a path below them implies. `changes` has no deletions. */
export function withoutFullDirectories(changes: readonly PathChange[]): readonly PathChange[] {
  // The paths come from a tree, so they are normal.
  const full = new Set(changes.map(({ path }) => parentPath(path as VirtualPath)));
  return changes.filter(
    ({ kind, path, after }) =>
      after?.kind !== "directory" ||
      kind === "modify" ||
      directoryMode(after) !== DIRECTORY_MODE ||
      !full.has(path as VirtualPath),
  );
}

function deletions(
  old: ReadonlyMap<string, TreeEntry>,
  current: ReadonlyMap<string, TreeEntry>,
): readonly PathChange[] {
  const gone = new Set<string>();
  const changes: PathChange[] = [];
  for (const { path, kind } of old.values()) {
    if (current.get(path)?.kind === kind) continue;
    // A directory comes before its contents.
    if (!gone.has(parentPath(path))) changes.push({ kind: "delete", path, after: undefined });
    gone.add(path);
  }
  return changes;
}

function additions(
  old: ReadonlyMap<string, TreeEntry>,
  current: ReadonlyMap<string, TreeEntry>,
): readonly PathChange[] {
  const changes: PathChange[] = [];
  for (const after of current.values()) {
    const { path } = after;
    const before = old.get(path);
    if (before?.kind !== after.kind) changes.push({ kind: "create", path, after });
    else if (!isSame(before, after)) changes.push({ kind: "modify", path, after });
  }
  return changes;
}

function isSame(before: TreeEntry, after: TreeEntry): boolean {
  if (after.kind === "directory") return directoryMode(before) === directoryMode(after);
  return (
    (after.kind === "symlink" || modeOf(before) === modeOf(after)) &&
    before.sizeBytes === after.sizeBytes &&
    before.contentId === after.contentId
  );
}

const DIRECTORY_MODE = 0o755;

function directoryMode({ mode = DIRECTORY_MODE }: Pick<TreeEntry, "mode">): number {
  return mode & 0o777;
}

async function byPath(
  entries: Iterable<TreeEntry> | AsyncIterable<TreeEntry>,
): Promise<ReadonlyMap<string, TreeEntry>> {
  const found = new Map<string, TreeEntry>();
  for await (const entry of entries) found.set(entry.path, entry);
  return found;
}
