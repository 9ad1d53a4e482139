import { createFilesystem, type VirtualPath } from "@wink/filesystem";
import type { HostDriver } from "@wink/filesystem/host";
import { checkValue } from "../error/check-options.js";
import { nextTurn } from "../reply/step-counter.js";
import { checkDigestOptions, type DigestOptions, digestOf } from "./compute-digest.js";
import type { ScannedFile } from "./ecosystems/project-files.js";
import { selectionOf } from "./scan-filesystem.js";
import { isSkippedDirectory } from "./skipped-directories.js";
import type { WorkspaceDigest } from "./workspace-digest.js";

/**
 * Computes the digest of a host directory.
 *
 * A file counts as changed if its size or modification time differs. No file is read for that, so ten thousand files
 * are fast.
 */
export async function digestDirectory(
  directory: string,
  options: DigestOptions,
): Promise<WorkspaceDigest> {
  checkValue("WorkspaceDigest.fromDirectory: directory", directory, "string");
  checkDigestOptions(options);
  // Imported only if needed, so that a digest of files in memory also runs in environments without `node:fs`.
  const { openHostDriver } = await import("@wink/filesystem/host");
  const driver = await openHostDriver(directory, { sweep: false });
  const filesystem = createFilesystem(driver, { readOnly: true });
  try {
    const isWanted = await selectionOf(filesystem, options);
    const files = await walk(driver, isWanted, options);
    return await digestOf(files, filesystem, options);
  } finally {
    await filesystem.close();
  }
}

const FILES_PER_REPORT = 500;

async function walk(
  driver: HostDriver,
  isWanted: (path: string) => boolean,
  { signal, onProgress }: DigestOptions,
): Promise<readonly ScannedFile[]> {
  const files: ScannedFile[] = [];
  // Drivers use the empty path for the root.
  const root = "" as VirtualPath;
  for (const entry of driver.walk(root, (path) => !isSkippedDirectory(path))) {
    if (entry.kind !== "file" || !isWanted(entry.path)) continue;
    const stat = entry.stat();
    if (stat === undefined) continue;
    const { sizeBytes, modifiedAtMs = 0 } = stat;
    files.push({ path: entry.path, sizeBytes, revision: `${modifiedAtMs}` });
    if (files.length % FILES_PER_REPORT !== 0) continue;
    onProgress?.({ stage: "scanning", fileCount: files.length });
    // Yield to the event loop, so that other work runs and the signal can abort.
    await nextTurn();
    signal?.throwIfAborted();
  }
  return files;
}
