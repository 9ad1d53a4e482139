import type { Filesystem } from "@wink/filesystem";
import { count } from "../reply/count.js";
import { oneLine } from "../reply/quote.js";

const MAX_ENTRIES_SHOWN = 12;
const MAX_NAME_CHARACTERS = 80;

/** A directory that is described to the model. */
export interface PreviewedMount {
  /** The path in the workspace; `/` is the root. */
  readonly path: string;
  /** `undefined` if they were not counted. */
  readonly fileCount: number | undefined;
}

/** One line per mount with its first entries. It contains no host path. */
export async function previewMounts(
  filesystem: Filesystem,
  mounts: readonly PreviewedMount[],
): Promise<string> {
  const lines = await Promise.all(
    mounts.map(async ({ path, fileCount }) => {
      const inside = await previewEntries(filesystem, path);
      const files = fileCount === undefined ? "" : ` (${count(fileCount, "file")})`;
      return `- \`${oneLine(path, MAX_NAME_CHARACTERS * 3)}\`${files}${inside && `: ${inside}`}`;
    }),
  );
  return lines.join("\n");
}

async function previewEntries(filesystem: Filesystem, path: string): Promise<string> {
  // With a mount point, a path with a leading slash would be outside of the workspace.
  const relative = path.replace(/^\/+/, "") || ".";
  const { isDirectory } = await filesystem.stat(relative);
  if (!isDirectory) return "";
  const entries = await filesystem.list(relative);
  const names = entries
    .slice(0, MAX_ENTRIES_SHOWN)
    .map(
      ({ name, isDirectory: isFolder }) =>
        oneLine(name, MAX_NAME_CHARACTERS) + (isFolder ? "/" : ""),
    );
  const more = entries.length - names.length;
  return [...names, ...(more > 0 ? [`and ${more.toLocaleString("en")} more`] : [])].join(", ");
}
