import type { Head, HeadWriter } from "@wink/store";
import type { Filesystem } from "../protocol/filesystem.js";
import type { FileCommits } from "./file-commits.js";

/** What a run needs of its stored files, to store events and transcript in the same commits. */
export interface StoredCommits {
  readonly head: Head;
  readonly writer?: HeadWriter | undefined;
  readonly commits: FileCommits | undefined;
}

const known = new WeakMap<Filesystem, StoredCommits>();

export function rememberCommits(filesystem: Filesystem, commits: StoredCommits): void {
  known.set(filesystem, commits);
}

/** `undefined` if the files are not in a store. */
export function commitsOf(filesystem: Filesystem): StoredCommits | undefined {
  return known.get(filesystem);
}
