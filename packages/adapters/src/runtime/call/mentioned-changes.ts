import { type Filesystem, isFilesystemError, type PathChange } from "@wink/filesystem";

/**
 * Adds the state of paths that events of the call mention to its changes.
 *
 * A tool may dispatch an event such as `files.write` and then change the file in another way, even back to its first
 * state. So after the events, the changes have to say what is at each mentioned path.
 */
export async function withMentioned(
  changes: readonly PathChange[],
  mentioned: ReadonlySet<string>,
  filesystem: Filesystem,
): Promise<readonly PathChange[]> {
  const deleted = new Map<string, PathChange>();
  const present = new Map<string, PathChange>();
  const add = (change: PathChange) => {
    const { path } = change;
    if (change.after === undefined) deleted.set(path, change);
    else if (!present.has(path)) present.set(path, change);
  };
  for (const change of changes) add(change);
  for (const path of mentioned) for (const each of await stateAt(path, filesystem)) add(each);
  return [...deleted.values(), ...present.values()];
}

async function stateAt(path: string, filesystem: Filesystem): Promise<readonly PathChange[]> {
  const found = await statIfAny(path, filesystem);
  if (found === undefined) return [deletion(await topMissing(path, filesystem))];
  if (found.kind === "file") return [{ kind: "modify", path, after: fileAt(found, filesystem) }];
  if (found.kind !== "directory") return [];
  return [deletion(path), ...(await contentsOf(path, filesystem))];
}

async function contentsOf(path: string, filesystem: Filesystem): Promise<readonly PathChange[]> {
  const entries = await filesystem.list(path);
  const changes: PathChange[] = [];
  for (const entry of entries)
    if (entry.isDirectory) changes.push(...(await contentsOf(entry.path, filesystem)));
    else if (entry.isFile) {
      const after = fileAt(await filesystem.stat(entry.path), filesystem);
      changes.push({ kind: "create", path: entry.path, after });
    }
  if (entries.length > 0) return changes;
  // The filesystem has reported the path, so it is normal.
  const directory = { path: path as Node["path"], kind: "directory", executable: false } as const;
  return [
    { kind: "create", path, after: { ...directory, sizeBytes: 0, read: () => new Uint8Array() } },
  ];
}

type Node = NonNullable<PathChange["after"]>;
type Stat = Awaited<ReturnType<Filesystem["stat"]>>;

function fileAt({ path, mode, sizeBytes }: Stat, filesystem: Filesystem): Node {
  return {
    // The filesystem has reported the path, so it is normal.
    path: path as Node["path"],
    kind: "file",
    executable: (mode & 0o100) !== 0,
    sizeBytes,
    read: async () => (await filesystem.readBytes(path, { limit: sizeBytes })).content,
  };
}

function deletion(path: string): PathChange {
  return { kind: "delete", path, after: undefined };
}

/** The first directory on the way to a missing path that is missing too. */
async function topMissing(path: string, filesystem: Filesystem): Promise<string> {
  const segments = path.split("/");
  for (let length = 1; length < segments.length; length++) {
    const parent = segments.slice(0, length).join("/");
    if ((await statIfAny(parent, filesystem)) === undefined) return parent;
  }
  return path;
}

async function statIfAny(path: string, filesystem: Filesystem): Promise<Stat | undefined> {
  try {
    return await filesystem.stat(path);
  } catch (error) {
    if (isFilesystemError(error, "ENOENT") || isFilesystemError(error, "ENOTDIR")) return undefined;
    throw error;
  }
}
