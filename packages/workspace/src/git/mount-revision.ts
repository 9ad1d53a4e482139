import { paths } from "@wink/filesystem";
import { WorkspaceError } from "../error/workspace-error.js";
import type { HostPlace } from "../mount/allowed-roots.js";
import type { LeftOutReason } from "../mount/host-mount.js";
import type { MountCopy } from "../mount/mount-copy.js";
import { Git } from "./git-plumbing.js";
import { type GitFile, type GitObject, listTree, parseTree, readObjects } from "./git-tree.js";

/** Copies the files of a revision below a directory of its work tree. Returns the id of the commit. */
export async function mountRevision(
  copy: MountCopy,
  { root: { canonical }, path }: HostPlace,
  rev: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  const files = new RevisionFiles(copy, path === "" ? canonical : `${canonical}/${path}`, signal);
  return (await files.copyQuickly(rev)) ?? files.copyCarefully(rev);
}

class RevisionFiles {
  readonly #copy: MountCopy;
  readonly #hostPath: string;
  readonly #signal: AbortSignal | undefined;

  constructor(copy: MountCopy, hostPath: string, signal: AbortSignal | undefined) {
    this.#copy = copy;
    this.#hostPath = hostPath;
    this.#signal = signal;
  }

  /**
   * Copies with two processes of git, because each costs about 12 ms. Returns `undefined`, with nothing copied, if the
   * revision or the directory needs more checks, or if a branch moved in the meantime.
   */
  async copyQuickly(rev: string): Promise<string | undefined> {
    // Refuse other texts: git could read them as options, or they could name several commits.
    if (!/^\w[\w./~^-]*$/.test(rev)) return undefined;
    const git = Git.in(this.#hostPath);
    const listing = git.run(["ls-tree", "-r", "-t", "-z", rev], { signal: this.#signal });
    const { files, treeId } = parseTree(await listing.catch(() => Buffer.alloc(0)));
    // Git lists nothing for a directory that the commit does not have.
    if (files.length === 0) return undefined;
    const names: GitObject[] = [
      { id: `${rev}^{commit}`, type: "commit" },
      { id: `${rev}:./`, type: "tree" },
    ];
    const ids = await this.#copyFiles(git, files, names, (_, tree) => tree === treeId);
    return ids?.[0];
  }

  async copyCarefully(rev: string): Promise<string> {
    this.#signal?.throwIfAborted();
    const options = { signal: this.#signal };
    const git = await Git.open(this.#hostPath, options);
    const commitId = await git.findCommit(rev, options);
    if (commitId === undefined)
      throw unknown(rev, "It names no commit. List branches with git branch.");
    const tree = git.prefix === "" ? commitId : `${commitId}:${git.prefix.replace(/\/$/, "")}`;
    const files = await listTree(git, tree, options).catch((cause: unknown) => {
      this.#signal?.throwIfAborted();
      throw unknown(rev, "The commit does not have the mounted directory.", cause);
    });
    await this.#copyFiles(git, files);
    return commitId;
  }

  /** Finds the ids of `names` first. Copies nothing and returns `undefined` if `isRight` refuses them. */
  async #copyFiles(
    git: Git,
    files: readonly GitFile[],
    names: readonly GitObject[] = [],
    isRight: (...ids: readonly string[]) => boolean = () => true,
  ): Promise<readonly string[] | undefined> {
    const copy = this.#copy;
    const { wanted, leftOut } = select(copy, files);
    const accepts = (object: GitObject | GitFile, sizeBytes: number) => {
      const reason = "path" in object ? copy.reasonAgainstSize(sizeBytes) : undefined;
      if ("path" in object && reason !== undefined) leftOut.push([object.path, reason, false]);
      return reason === undefined;
    };
    const ids: string[] = [];
    const options = { signal: this.#signal, accepts };
    try {
      for await (const objects of readObjects(git, [...names, ...wanted], options)) {
        for (const [object, bytes, id] of objects) {
          if (!("path" in object)) {
            if (ids.push(id) === names.length && !isRight(...ids)) return undefined;
            continue;
          }
          const { path, kind } = object;
          const file = { bytes, executable: kind === "executable" };
          copy.add(file, path, `${this.#hostPath}/${path}`);
        }
        if (copy.isPauseDue) await copy.pause();
      }
    } catch (error) {
      if (ids.length < names.length) return undefined;
      throw error;
    }
    for (const about of leftOut) copy.leaveOut(...about);
    return ids;
  }
}

/** Returns the files that the filter of a mount accepts, and the others with the reason. */
function select(copy: MountCopy, files: readonly GitFile[]) {
  const wanted: GitFile[] = [];
  const leftOut: [path: GitFile["path"], reason: LeftOutReason, isDirectory: boolean][] = [];
  const seen = new Set<string>();
  let parent: string | undefined;
  let excluded: ReturnType<typeof excludedDirectory>;
  for (const file of files) {
    // Files of one directory follow each other.
    const directory = paths.parentPath(file.path);
    if (directory !== parent) excluded = excludedDirectory(copy, file.path);
    parent = directory;
    if (excluded !== undefined) {
      if (!seen.has(excluded.path)) leftOut.push([excluded.path, excluded.reason, true]);
      seen.add(excluded.path);
      continue;
    }
    const reason = reasonAgainst(copy, file);
    if (reason === undefined) wanted.push(file);
    else leftOut.push([file.path, reason, file.kind === "submodule"]);
  }
  return { wanted, leftOut };
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
