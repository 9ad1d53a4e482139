import { createFilesystem, type VirtualPath } from "@wink/filesystem";
import type { HostDriver } from "@wink/filesystem/host";
import { nextTurn } from "../reply/step-counter.js";
import { type DigestOptions, digestOf } from "./compute-digest.js";
import type { ScannedFile } from "./ecosystems/project-files.js";
import { selectionOf } from "./scan-filesystem.js";
import { isSkippedDirectory } from "./skipped-directories.js";
import type { WorkspaceDigest } from "./workspace-digest.js";

/**
 * The digest of a directory of this machine.
 *
 * Files are told apart by size and time of change, which the host knows without
 * reading them: that is what makes ten thousand of them quick.
 */
export async function digestDirectory(
  directory: string,
  options: DigestOptions,
): Promise<WorkspaceDigest> {
  // Loaded when it is needed: a digest of what is in memory runs where there is no disk.
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
  // The root of every filesystem, as drivers write it.
  const root = "" as VirtualPath;
  for (const entry of driver.walk(root, (path) => !isSkippedDirectory(path))) {
    if (entry.kind !== "file" || !isWanted(entry.path)) continue;
    const stat = entry.stat();
    if (stat === undefined) continue;
    const { sizeBytes, modifiedAtMs = 0 } = stat;
    files.push({ path: entry.path, sizeBytes, revision: `${modifiedAtMs}` });
    if (files.length % FILES_PER_REPORT !== 0) continue;
    onProgress?.({ stage: "scanning", fileCount: files.length });
    // Others get their turn, and a signal is heard.
    await nextTurn();
    signal?.throwIfAborted();
  }
  return files;
}
