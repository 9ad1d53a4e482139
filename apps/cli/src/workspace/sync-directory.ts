import { constants } from "node:fs";
import { lstat, mkdir, open, readdir, readFile, rename } from "node:fs/promises";
import { removeHostTree } from "@wink/filesystem/host";
import { type BytePath, bytePath, entryPath } from "./byte-path.js";

/**
 * Makes the directory `to` equal to `from` by renaming what differs. Equal files are not touched,
 * so that programs that read them are not disturbed. Both must be on one disk, and `from` is
 * consumed. After a crash, repeat it with a new `from`.
 */
export async function syncDirectory(from: string, to: string): Promise<void> {
  await syncEntries(bytePath(from), bytePath(to));
}

async function syncEntries(from: BytePath, to: BytePath): Promise<void> {
  const wanted = await readdir(from, { encoding: "buffer" });
  // One character per byte, so that different names are different strings.
  const kept = new Set(wanted.map((name) => name.toString("latin1")));
  for (const name of await readdir(to, { encoding: "buffer" }))
    if (!kept.has(name.toString("latin1"))) await removeHostTree(entryPath(to, name));
  for (const name of wanted) await syncNode(entryPath(from, name), entryPath(to, name));
}

async function syncNode(from: BytePath, to: BytePath): Promise<void> {
  const [source, target] = [await lstat(from), await lstat(to).catch(() => undefined)];
  if (target === undefined) return await rename(from, to);
  if (source.isDirectory() && target.isDirectory()) return await syncEntries(from, to);
  if (source.isFile() && target.isFile() && source.size === target.size) {
    const [before, after] = [await readFile(to), await readFile(from)];
    if (before.equals(after)) {
      if (source.mode !== target.mode) await setFileMode(to, source.mode);
      return;
    }
  }
  // Replacing a file with a file is atomic. For other kinds, there is a moment when neither exists.
  if (!source.isFile() || !target.isFile()) await removeHostTree(to);
  await rename(from, to);
}

/** Opens the file first, because chmod by path would follow a symbolic link. */
async function setFileMode(path: BytePath, mode: number): Promise<void> {
  await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  await file.chmod(mode);
}

/** Creates an empty directory. Deletes an existing one. */
export async function emptyDirectory(path: string): Promise<void> {
  await removeHostTree(path);
  await mkdir(path, { mode: 0o700 });
}
