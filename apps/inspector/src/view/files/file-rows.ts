import type { FileRow } from "../../model/run-views.js";

/** A row of the file tree. */
export interface TreeRow {
  readonly path: string;
  readonly name: string;
  readonly depth: number;
  /** The index in the entries. `undefined` for a directory that has no entry, only files below it. */
  readonly entry: number | undefined;
  readonly isDirectory: boolean;
  readonly isOpen: boolean;
}

/** Small trees are open from the start. */
const MAX_OPEN_ENTRIES = 300;

/**
 * The visible rows of a tree, directories first. `toggled` lists the directories that the user opened or closed. The
 * parent directories of `chosen` are always open.
 */
export function treeRows(
  entries: readonly FileRow[],
  toggled: ReadonlySet<string>,
  chosen: string | undefined,
): readonly TreeRow[] {
  const root = folderOf(entries);
  const opensAll = entries.length <= MAX_OPEN_ENTRIES;
  const rows: TreeRow[] = [];
  const add = (folder: Folder, prefix: string, depth: number): void => {
    for (const [name, child] of sorted(folder.folders)) {
      const path = prefix + name;
      const isOpen = chosen?.startsWith(`${path}/`) || opensAll !== toggled.has(path);
      rows.push({ path, name, depth, entry: child.entry, isDirectory: true, isOpen });
      if (isOpen) add(child, `${path}/`, depth + 1);
    }
    for (const [name, entry] of sorted(folder.files))
      rows.push({ path: prefix + name, name, depth, entry, isDirectory: false, isOpen: false });
  };
  add(root, "", 0);
  return rows;
}

interface Folder {
  readonly folders: Map<string, Folder>;
  readonly files: Map<string, number>;
  entry: number | undefined;
}

function emptyFolder(): Folder {
  return { folders: new Map(), files: new Map(), entry: undefined };
}

function folderOf(entries: readonly FileRow[]): Folder {
  const root = emptyFolder();
  for (const [entry, { path, kind }] of entries.entries()) {
    const names = path.split("/");
    const last = names.pop() ?? "";
    let folder = root;
    for (const name of names) folder = childOf(folder, name);
    if (kind === "directory") childOf(folder, last).entry = entry;
    else folder.files.set(last, entry);
  }
  return root;
}

function childOf({ folders }: Folder, name: string): Folder {
  const child = folders.get(name) ?? emptyFolder();
  folders.set(name, child);
  return child;
}

function sorted<T>(map: ReadonlyMap<string, T>): readonly (readonly [string, T])[] {
  return [...map].sort(([one], [two]) => (one < two ? -1 : one > two ? 1 : 0));
}
