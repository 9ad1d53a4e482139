import type { Filesystem, SnapshotableFilesystem } from "@wink/filesystem";
import { type ForkChanges, readForkChanges } from "./fork-changes.js";

/**
 * Every file with its content. A `*` after the path marks an executable file; directories end in
 * `/`.
 */
export async function treeOf(files: Filesystem): Promise<Readonly<Record<string, string>>> {
  const tree: Record<string, string> = {};
  for (const { path, isFile } of await files.glob("**", { directories: true })) {
    if (!isFile) tree[`${path}/`] = "";
    else {
      const { mode } = await files.stat(path);
      const { content } = await files.readBytes(path, { limit: files.limits.maxReadBytes });
      tree[`${path}${mode & 0o100 ? "*" : ""}`] = Buffer.from(content).toString("latin1");
    }
  }
  return tree;
}

/** The changes that `work` makes to a fork of `files`. On the host the fork is in `directory`. */
export async function changesOf(
  files: SnapshotableFilesystem,
  work: (fork: SnapshotableFilesystem, directory: string) => Promise<void>,
): Promise<{ readonly changes: ForkChanges; readonly theirs: Readonly<Record<string, string>> }> {
  const fork = await files.fork();
  const base = await fork.snapshot();
  await work(fork, base.rootPath);
  const theirs = await treeOf(fork);
  return { changes: await readForkChanges(fork, base), theirs };
}
