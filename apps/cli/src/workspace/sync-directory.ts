import { chmod, lstat, mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";

/**
 * Makes the directory `to` hold what `from` holds, by moving over what differs. What is the same already is not touched, so that whoever
 * reads it meanwhile is not disturbed. Both lie on one disk; `from` is used up. Can be done again after a crash with a new `from`.
 */
export async function syncDirectory(from: string, to: string): Promise<void> {
  const wanted = new Set(await readdir(from));
  for (const name of await readdir(to))
    if (!wanted.has(name)) await rm(join(to, name), { recursive: true, force: true });
  for (const name of wanted) await syncNode(join(from, name), join(to, name));
}

async function syncNode(from: string, to: string): Promise<void> {
  const [source, target] = [await lstat(from), await lstat(to).catch(() => undefined)];
  if (target === undefined) return await rename(from, to);
  if (source.isDirectory() && target.isDirectory()) return await syncDirectory(from, to);
  if (source.isFile() && target.isFile() && source.size === target.size) {
    const [before, after] = [await readFile(to), await readFile(from)];
    if (before.equals(after)) {
      if (source.mode !== target.mode) await chmod(to, source.mode);
      return;
    }
  }
  // A file takes the place of a file in one step; between the other kinds there is none.
  if (!source.isFile() || !target.isFile()) await rm(to, { recursive: true, force: true });
  await rename(from, to);
}

/** An empty directory, whatever was there. */
export async function emptyDirectory(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
  await mkdir(path, { mode: 0o700 });
}
