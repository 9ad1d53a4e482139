import {
  isFilesystemError,
  paths,
  type SnapshotableFilesystem,
  type TreeChange,
  type TreeEntry,
} from "@wink/filesystem";
import { partsOf } from "../apply/side-content.js";

/** Writes the changes to a filesystem, as one transaction if the caller began one. */
export async function writeChanges(
  filesystem: SnapshotableFilesystem,
  changes: readonly Pick<TreeChange, "before" | "after">[],
): Promise<void> {
  for (const { before, after } of changes)
    if (before !== undefined && before.path !== after?.path) await remove(filesystem, before.path);
  for (const { after } of changes) {
    if (after === undefined) continue;
    await clearFor(filesystem, after);
    if (after.kind === "directory") {
      await filesystem.mkdir(after.path, { parents: true, existOk: true });
      if (after.mode !== undefined) await filesystem.chmod(after.path, after.mode);
    } else if (after.kind === "file") await writeFile(filesystem, after);
    else await filesystem.symlink(textOf(await after.read()), after.path);
  }
  // Last, because each change sets the time of the directory around it.
  for (const { after } of changes) if (after?.kind !== "symlink") await setTime(filesystem, after);
}

/** Times that a filesystem can set are between 1970 and 2106. Others stay as they are. */
async function setTime(
  filesystem: SnapshotableFilesystem,
  entry: TreeEntry | undefined,
): Promise<void> {
  const { path, modifiedAtMs } = entry ?? {};
  if (path === undefined || modifiedAtMs === undefined) return;
  try {
    await filesystem.utimes(path, new Date(modifiedAtMs));
  } catch (error) {
    if (!isFilesystemError(error, "EINVAL")) throw error;
  }
}

/** Removes a node, and the directories that become empty. */
async function remove(filesystem: SnapshotableFilesystem, path: string): Promise<void> {
  if ((await kindAt(filesystem, path)) === undefined) return;
  await filesystem.delete(path, { recursive: true });
  for (let at = parentOf(path); at !== ""; at = parentOf(at)) {
    if ((await filesystem.list(at, { limit: 1 })).length > 0) return;
    await filesystem.delete(at, { recursive: true });
  }
}

/** Removes what is in the way, also files above the path. A link cannot be overwritten, and overwrites nothing itself. */
async function clearFor(
  filesystem: SnapshotableFilesystem,
  { path, kind }: TreeEntry,
): Promise<void> {
  for (let at = parentOf(path); at !== ""; at = parentOf(at)) {
    const above = await kindAt(filesystem, at);
    if (above === "directory") break;
    if (above !== undefined) await filesystem.delete(at);
  }
  const stat = await kindAt(filesystem, path);
  if (stat === undefined || (stat === kind && kind !== "symlink")) return;
  await filesystem.delete(path, { recursive: true });
}

async function kindAt(filesystem: SnapshotableFilesystem, path: string) {
  try {
    return (await filesystem.stat(path, { followLinks: false })).kind;
  } catch (error) {
    if (isFilesystemError(error, "ENOENT") || isFilesystemError(error, "ENOTDIR")) return undefined;
    throw error;
  }
}

/** The target of a link as its filesystem shows it. */
function textOf(target: Uint8Array): string {
  return Buffer.from(target)
    .toString("latin1")
    .split("/")
    .map((segment) => paths.shownName(Buffer.from(segment, "latin1")))
    .join("/");
}

async function writeFile(filesystem: SnapshotableFilesystem, entry: TreeEntry): Promise<void> {
  const { path, executable } = entry;
  await using writer = await filesystem.openWrite(path, {
    mode: "overwrite",
    createParents: true,
    executable,
  });
  for await (const part of partsOf(entry)) await writer.write(part);
  await writer.close();
  if (entry.mode !== undefined) await filesystem.chmod(path, entry.mode);
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
