import type { Filesystem } from "../filesystem.js";

/** Everything in a filesystem by path: the text of a file, or `null` for a directory. To compare whole states. */
export async function treeOf(
  filesystem: Filesystem,
  path = ".",
): Promise<Readonly<Record<string, string | null>>> {
  const tree: Record<string, string | null> = {};
  for (const entry of await filesystem.list(path)) {
    if (entry.isDirectory) {
      tree[entry.path] = null;
      Object.assign(tree, await treeOf(filesystem, entry.path));
    } else {
      const { content } = await filesystem.readBytes(entry.path);
      tree[entry.path] = new TextDecoder().decode(content);
    }
  }
  return tree;
}
