import { paths } from "@wink/filesystem";
import { WorkspaceError } from "../error/workspace-error.js";
import type { HostPlace } from "../mount/allowed-roots.js";
import type { LeftOutReason } from "../mount/host-mount.js";
import type { MountCopy } from "../mount/mount-copy.js";
import { Git } from "./git-plumbing.js";
import { type GitFile, listTree, readBlobs } from "./git-tree.js";

/** Copies the files of a revision below a directory of its work tree. Returns the id of the commit. */
export async function mountRevision(
  copy: MountCopy,
  { root: { canonical }, path }: HostPlace,
  rev: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  const hostPath = path === "" ? canonical : `${canonical}/${path}`;
  const { git, commitId } = await Git.openCommit(hostPath, rev, { signal });
  if (commitId === undefined)
    throw unknown(rev, "It names no commit. List branches with git branch.");
  const tree = git.prefix === "" ? commitId : `${commitId}:${git.prefix.replace(/\/$/, "")}`;
  const files = await listTree(git, tree, { signal }).catch((cause: unknown) => {
    signal?.throwIfAborted();
    throw unknown(rev, "The commit does not have the mounted directory.", cause);
  });
  const wanted: GitFile[] = [];
  const leftOut = new Set<string>();
  let parent: string | undefined;
  let excluded: ReturnType<typeof excludedDirectory>;
  for (const file of files) {
    // Files of one directory follow each other.
    const directory = paths.parentPath(file.path);
    if (directory !== parent) excluded = excludedDirectory(copy, file.path);
    parent = directory;
    if (excluded !== undefined) {
      if (!leftOut.has(excluded.path)) copy.leaveOut(excluded.path, excluded.reason, true);
      leftOut.add(excluded.path);
      continue;
    }
    const reason = reasonAgainst(copy, file);
    if (reason === undefined) wanted.push(file);
    else copy.leaveOut(file.path, reason, file.kind === "submodule");
  }
  const accepts = ({ path: below }: GitFile, sizeBytes: number) => {
    const reason = copy.reasonAgainstSize(sizeBytes);
    if (reason !== undefined) copy.leaveOut(below, reason, false);
    return reason === undefined;
  };
  for await (const blobs of readBlobs(git, wanted, { signal, accepts })) {
    for (const [{ path: below, kind }, bytes] of blobs)
      copy.add({ bytes, executable: kind === "executable" }, below, `${hostPath}/${below}`);
    if (copy.isPauseDue) await copy.pause();
  }
  return commitId;
}

/** The outermost directory above a file that the filter leaves out. */
function excludedDirectory(copy: MountCopy, path: GitFile["path"]) {
  for (let at = path.indexOf("/"); at > 0; at = path.indexOf("/", at + 1)) {
    const directory = path.slice(0, at) as GitFile["path"];
    const reason = copy.filter.directory(directory, paths.baseName(directory));
    if (reason !== undefined) return { path: directory, reason };
  }
  return undefined;
}

function reasonAgainst(copy: MountCopy, file: GitFile): LeftOutReason | undefined {
  const { path, kind } = file;
  const name = paths.baseName(path);
  if (kind === "submodule") return "git";
  const reason = copy.filter.file(path, name);
  if (reason !== undefined) return reason;
  if (kind === "symlink") return "symlink";
  return undefined;
}

function unknown(rev: string, reason: string, cause?: unknown): WorkspaceError {
  return new WorkspaceError("UNKNOWN_REVISION", { subject: `revision '${rev}'`, reason, cause });
}
