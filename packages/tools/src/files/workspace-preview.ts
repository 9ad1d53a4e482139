import type { Filesystem } from "@wink/filesystem";
import { count } from "../reply/count.js";
import { oneLine } from "../reply/quote.js";

const MOST_ENTRIES_SHOWN = 12;
const LONGEST_NAME = 80;

/** A directory of the workspace that the model is told of. */
export interface PreviewedMount {
  /** As the model can use it; `/` is the root. */
  readonly path: string;
  readonly fileCount: number;
}

/** One line for each mount, and a look at what is in it. No path of the host is in it. */
export async function previewMounts(
  filesystem: Filesystem,
  mounts: readonly PreviewedMount[],
): Promise<string> {
  const lines = await Promise.all(
    mounts.map(async ({ path, fileCount }) => {
      const inside = await previewEntries(filesystem, path);
      return `- \`${oneLine(path, LONGEST_NAME * 3)}\` (${count(fileCount, "file")})${inside && `: ${inside}`}`;
    }),
  );
  return lines.join("\n");
}

async function previewEntries(filesystem: Filesystem, path: string): Promise<string> {
  // Under a mount point a leading slash would mean something else.
  const relative = path.replace(/^\/+/, "") || ".";
  const { isDirectory } = await filesystem.stat(relative);
  if (!isDirectory) return "";
  const entries = await filesystem.list(relative);
  const names = entries
    .slice(0, MOST_ENTRIES_SHOWN)
    .map(({ name, isDirectory: isFolder }) => oneLine(name, LONGEST_NAME) + (isFolder ? "/" : ""));
  const more = entries.length - names.length;
  return [...names, ...(more > 0 ? [`and ${more.toLocaleString("en")} more`] : [])].join(", ");
}
