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
  const isGone = (path: string): boolean =>
    deleted.has(path) || (path.includes("/") && isGone(path.slice(0, path.lastIndexOf("/"))));
  const created = [...present.values()].map((change) =>
    isGone(change.path) ? ({ ...change, kind: "create" } as const) : change,
  );
  return [...deleted.values(), ...created];
}

/** Adds the permissions of paths to the changes. */
export async function withModes(
  changes: readonly PathChange[],
  paths: ReadonlySet<string>,
  filesystem: Filesystem,
): Promise<readonly PathChange[]> {
  const added: PathChange[] = [];
  const known = new Set(changes.filter(({ after }) => after !== undefined).map(({ path }) => path));
  for (const given of paths) {
    const found = await statIfAny(given, filesystem, true);
    if (found?.kind !== "file" && found?.kind !== "directory") continue;
    const after = nodeAt(found, found.kind, filesystem);
    // A scan has listed the directory with its default permissions.
    if (found.kind === "directory" || !known.has(found.path))
      added.push({ kind: "modify", path: found.path, after });
  }
  return [...changes, ...added];
}

async function stateAt(path: string, filesystem: Filesystem): Promise<readonly PathChange[]> {
  const found = await statIfAny(path, filesystem);
  if (found === undefined) return [deletion(await topMissing(path, filesystem))];
  if (found.kind === "special") return [];
  if (found.kind !== "directory")
    return [{ kind: "modify", path, after: nodeAt(found, found.kind, filesystem) }];
  return [deletion(path), ...(await contentsOf(found, filesystem))];
}

/** A directory and everything below it. */
async function contentsOf(found: Stat, filesystem: Filesystem): Promise<readonly PathChange[]> {
  const { path } = found;
  const changes: PathChange[] = [
    { kind: "create", path, after: nodeAt(found, "directory", filesystem) },
  ];
  for (const entry of await filesystem.list(path)) {
    const stat = await filesystem.stat(entry.path, { followLinks: false });
    if (stat.kind === "directory") changes.push(...(await contentsOf(stat, filesystem)));
    else if (stat.kind !== "special") {
      const after = nodeAt(stat, stat.kind, filesystem);
      changes.push({ kind: "create", path: entry.path, after });
    }
  }
  return changes;
}

type Node = NonNullable<PathChange["after"]>;
type Stat = Awaited<ReturnType<Filesystem["stat"]>>;

function nodeAt({ path, mode, sizeBytes }: Stat, kind: Node["kind"], filesystem: Filesystem): Node {
  return {
    // The filesystem has reported the path, so it is normal.
    path: path as Node["path"],
    kind,
    executable: kind === "file" && (mode & 0o100) !== 0,
    mode,
    sizeBytes,
    async read() {
      if (kind === "directory") return new Uint8Array();
      if (kind === "symlink") return new TextEncoder().encode(await filesystem.readlink(path));
      return (await filesystem.readBytes(path, { limit: sizeBytes })).content;
    },
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

async function statIfAny(
  path: string,
  filesystem: Filesystem,
  followLinks = false,
): Promise<Stat | undefined> {
  try {
    return await filesystem.stat(path, { followLinks });
  } catch (error) {
    if (isFilesystemError(error, "ENOENT") || isFilesystemError(error, "ENOTDIR")) return undefined;
    throw error;
  }
}
