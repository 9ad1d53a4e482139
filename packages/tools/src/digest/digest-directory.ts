import {
  createFilesystem,
  type DriverStat,
  type VirtualPath,
  type WalkEntry,
} from "@wink/filesystem";
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
    // Drivers use the empty path for the root.
    const root = "" as VirtualPath;
    const entries = driver.accelerate.walk(root, (path) => !isSkippedDirectory(path));
    const files = await scan(entries, isWanted, options);
    const digest = await digestOf(files, filesystem, options);
    const history = await describeHistory(directory, options);
    return history.length === 0
      ? digest
      : { ...digest, patterns: [...digest.patterns, ...history] };
  } finally {
    await filesystem.close();
  }
}

/** Branch, recent commits, frequent files and authors; nothing outside of a git repository. */
async function describeHistory(
  directory: string,
  { signal }: DigestOptions,
): Promise<readonly string[]> {
  const { readHistory } = await import("@wink/workspace/git");
  const history = await readHistory(directory, { signal });
  if (history === undefined || history.recentCommits.length === 0) return [];
  const { branch, recentCommits, frequentFiles, authors } = history;
  const commits = recentCommits
    .slice(0, MAX_COMMITS_SHOWN)
    .map(({ commitId, subject }) => `${commitId.slice(0, SHORT_ID)} ${subject}`);
  return [
    branch === undefined ? "Branch: none, HEAD is detached" : `Branch: ${branch}`,
    `Recent commits: ${commits.join("; ")}`,
    ...(frequentFiles.length > 0
      ? [`Changed often: ${frequentFiles.map(({ path }) => path).join(", ")}`]
      : []),
    `Authors: ${authors.map(({ name, commitCount }) => `${name} (${commitCount})`).join(", ")}`,
  ];
}

const MAX_COMMITS_SHOWN = 5;
const SHORT_ID = 8;
const FILES_PER_REPORT = 500;

async function scan(
  entries: Iterable<WalkEntry & { stat(): DriverStat | undefined }>,
  isWanted: (path: string) => boolean,
  { signal, onProgress }: DigestOptions,
): Promise<readonly ScannedFile[]> {
  const files: ScannedFile[] = [];
  for (const entry of entries) {
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
