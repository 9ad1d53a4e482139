import type { Filesystem } from "../../protocol/filesystem.js";

/** The whole content of a filesystem by path, to compare states: the text of a file, or `null` for a directory. */
export async function treeOf(
  filesystem: Filesystem,
  path = ".",
): Promise<Readonly<Record<string, string | null>>> {
  // `fromEntries` makes an ordinary key even from `__proto__`.
  return Object.fromEntries(await entriesOf(filesystem, path));
}

async function entriesOf(
  filesystem: Filesystem,
  path: string,
): Promise<readonly (readonly [path: string, content: string | null])[]> {
  const entries: (readonly [string, string | null])[] = [];
  for (const entry of await filesystem.list(path)) {
    if (entry.isDirectory) {
      entries.push([entry.path, null], ...(await entriesOf(filesystem, entry.path)));
    } else if (entry.kind === "symlink") {
      entries.push([entry.path, `-> ${await filesystem.readlink(entry.path)}`]);
    } else {
      const { content } = await filesystem.readBytes(entry.path);
      entries.push([entry.path, new TextDecoder("utf-8", { ignoreBOM: true }).decode(content)]);
    }
  }
  return entries;
}
