import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * A hash of the names and bytes of all files in a directory. It is equal if and only if nothing
 * changed.
 */
export async function treeHash(directory: string): Promise<string> {
  const hash = createHash("sha256");
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const path of paths) {
    hash.update(`${path.slice(directory.length)}\0`);
    hash.update(
      createHash("sha256")
        .update(await readFile(path))
        .digest(),
    );
  }
  return hash.digest("hex");
}
