import type { ChangeRow, FileRow } from "./run-views.js";

/** The changes between two lists of files, sorted by path. Files with the same content at another path are renames. */
export function compareFiles(
  before: readonly FileRow[],
  after: readonly FileRow[],
): readonly ChangeRow[] {
  const old = new Map(before.map((file) => [file.path, file]));
  const now = new Map(after.map((file) => [file.path, file]));
  const changes: ChangeRow[] = [];
  const deleted = before.filter(({ path, kind }) => now.get(path)?.kind !== kind);
  const added = after.filter(({ path, kind }) => old.get(path)?.kind !== kind);
  const moved = renamesOf(deleted, added);
  const sources = new Set(moved.values());
  const full = new Set([...deleted, ...added].map(({ path }) => parentOf(path)));
  // List a directory only if it is empty: otherwise its files are listed.
  const isListed = ({ path, kind }: FileRow) => kind !== "directory" || !full.has(path);
  for (const file of deleted)
    if (!sources.has(file) && isListed(file)) changes.push(changeOf("deleted", file, undefined));
  for (const file of added) {
    const source = moved.get(file);
    if (source !== undefined) changes.push(changeOf("renamed", source, file));
    else if (isListed(file)) changes.push(changeOf("added", undefined, file));
  }
  for (const file of after) {
    const earlier = old.get(file.path);
    if (earlier === undefined || earlier.kind !== file.kind || file.kind === "directory") continue;
    if (earlier.content !== file.content) changes.push(changeOf("modified", earlier, file));
    else if (earlier.mode !== file.mode) changes.push(changeOf("mode", earlier, file));
  }
  return changes.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

/** Each added file with the deleted file of the same content, if there is one. Empty files are not paired. */
function renamesOf(
  deleted: readonly FileRow[],
  added: readonly FileRow[],
): ReadonlyMap<FileRow, FileRow> {
  const sources = new Map<string, FileRow[]>();
  for (const file of deleted)
    if (file.kind === "file" && file.sizeBytes > 0)
      sources.set(file.content, [...(sources.get(file.content) ?? []), file]);
  const pairs = new Map<FileRow, FileRow>();
  for (const file of added) {
    const source = file.kind === "file" ? sources.get(file.content)?.shift() : undefined;
    if (source !== undefined) pairs.set(file, source);
  }
  return pairs;
}

function changeOf(
  type: ChangeRow["type"],
  before: FileRow | undefined,
  after: FileRow | undefined,
): ChangeRow {
  const known = after ?? before;
  return {
    ...{ type, path: known?.path ?? "", kind: known?.kind ?? "file" },
    oldPath: type === "renamed" ? (before?.path ?? null) : null,
    before: before === undefined || before.kind === "directory" ? null : before.content,
    after: after === undefined || after.kind === "directory" ? null : after.content,
    ...{ sizeBytesBefore: before?.sizeBytes ?? 0, sizeBytesAfter: after?.sizeBytes ?? 0 },
  };
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
