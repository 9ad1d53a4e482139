import type { Filesystem } from "@wink/filesystem";
import { nextTurn } from "../reply/step-counter.js";
import type { DigestOptions } from "./compute-digest.js";
import type { ScannedFile } from "./ecosystems/project-files.js";
import { isSkippedDirectory } from "./skipped-directories.js";

const FILES_PER_REPORT = 500;

/** Returns every file with its content revision, except files in generated directories. */
export async function scanFilesystem(
  filesystem: Filesystem,
  options: DigestOptions,
): Promise<readonly ScannedFile[]> {
  const { signal, onProgress } = options;
  const isWanted = await selectionOf(filesystem, options);
  const files: ScannedFile[] = [];
  const visit = async (directory: string): Promise<void> => {
    for (const { path, kind } of await filesystem.list(directory, { signal })) {
      if (kind === "directory") {
        if (!isSkippedDirectory(path)) await visit(path);
      } else if (kind === "file" && isWanted(path)) {
        const { sizeBytes, revision = "" } = await filesystem.stat(path, { signal });
        files.push({ path, sizeBytes, revision });
        if (files.length % FILES_PER_REPORT !== 0) continue;
        onProgress?.({ stage: "scanning", fileCount: files.length });
        await nextTurn();
      }
    }
  };
  await visit(".");
  return files;
}

/** Selects paths by `includeGlob` and `excludeGlob`, using the filesystem's own `glob`. */
export async function selectionOf(
  filesystem: Filesystem,
  { includeGlob = [], excludeGlob = [], signal }: DigestOptions,
): Promise<(path: string) => boolean> {
  if (includeGlob.length === 0 && excludeGlob.length === 0) return () => true;
  const matching = async (patterns: readonly string[], directories: boolean) => {
    const paths = new Set<string>();
    for (const pattern of patterns)
      for (const { path } of await filesystem.glob(pattern, { directories, signal }))
        paths.add(path);
    return paths;
  };
  const included = includeGlob.length === 0 ? undefined : await matching(includeGlob, false);
  const excluded = await matching(excludeGlob, true);
  return (path) => (included === undefined || included.has(path)) && !isUnder(path, excluded);
}

/** Whether the path or one of its parent directories is in `paths`. */
function isUnder(path: string, paths: ReadonlySet<string>): boolean {
  for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1))
    if (paths.has(path.slice(0, end))) return true;
  return false;
}
