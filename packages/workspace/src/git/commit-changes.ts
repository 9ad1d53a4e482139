import { homedir } from "node:os";
import {
  mergeFile,
  paths,
  type TreeChange,
  type TreeEntry,
  type VirtualPath,
} from "@wink/filesystem";
import { type ApplyConflict, ApplyConflictError } from "../error/apply-error.js";
import { WorkspaceError } from "../error/workspace-error.js";
import type { CommitOptions, CommitReport } from "./commit-options.js";
import { isSpecialPath } from "./git-names.js";
import { Git, type GitRunOptions } from "./git-plumbing.js";
import { type GitFile, listTree, readObjects } from "./git-tree.js";
import { type GitChange, type GitIdentity, writeCommit } from "./write-commit.js";

/** A mounted directory or file, and the changes in it. */
interface CommittedMount {
  /** The absolute host path. */
  readonly hostPath: string;
  readonly mountPath: VirtualPath;
  readonly isDirectory: boolean;
  /** The commit that was mounted; `undefined` for a work tree. */
  readonly commitId: string | undefined;
}

export interface CommitRequest {
  readonly mounts: readonly CommittedMount[];
  readonly changes: readonly TreeChange[];
  /** The commit that the branch must be at. @default no check */
  readonly expected: string | undefined;
}

/**
 * Commits changes of a workspace to a branch, without touching the work tree, the index, HEAD or the stash.
 *
 * Each file is merged with the file on the branch, so uncommitted changes of the user are not committed. Throws an
 * `ApplyConflictError` that lists every file that cannot be merged.
 */
export async function commitChanges(
  { mounts, changes, expected }: CommitRequest,
  options: CommitOptions,
): Promise<CommitReport> {
  const { branch, signal } = options;
  const run: GitRunOptions = { signal };
  const [first] = mounts;
  if (first === undefined)
    throw new WorkspaceError("NOT_A_REPOSITORY", {
      subject: "repository",
      reason: "Nothing is mounted, so there is no repository to commit to.",
    });
  const git = await Git.open(first.hostPath, run);
  const prefixes = new Map<CommittedMount, string>();
  for (const mount of mounts) prefixes.set(mount, await prefixOf(mount, git, run));
  await requireBranch(git, branch, run);
  const ref = `refs/heads/${branch}`;
  const tip = await git.findCommit(ref, run);
  if (expected !== undefined && tip !== expected) throw moved(branch);
  const parent = tip ?? first.commitId ?? (await git.findCommit("HEAD", run));
  if (tip !== undefined && first.commitId !== undefined)
    await requireContained(git, branch, first.commitId, tip, run);

  const outside: string[] = [];
  const wanted: Wanted[] = [];
  for (const { before, after } of changes.flatMap(splitMove)) {
    const workspacePath = (after ?? before)?.path;
    if (workspacePath === undefined) continue;
    const path = repositoryPath(workspacePath, prefixes);
    // git would run commands from a `.git`, and fsck rejects names that it treats like one.
    if (path === undefined || isSpecialPath(path)) outside.push(workspacePath);
    else wanted.push({ workspacePath, path, before, after });
  }
  const decided = await decide(git, { wanted, parent, base: first.commitId, options });
  if (decided.conflicts.length > 0)
    throw new ApplyConflictError(decided.conflicts, `branch '${branch}'`);
  const pathsOf = (isWritten: boolean) =>
    decided.changes
      .filter(({ bytes }) => (bytes !== undefined) === isWritten)
      .map(({ workspacePath }) => workspacePath)
      .sort(paths.compareBytes);
  const report = {
    branch,
    written: pathsOf(true),
    deleted: pathsOf(false),
    merged: decided.merged.sort(paths.compareBytes),
    outside: [...new Set(outside)].sort(paths.compareBytes),
  };
  if (decided.changes.length === 0) return { ...report, commitId: undefined };
  signal?.throwIfAborted();
  const author = options.author ?? (await readIdentity(git));
  const commit = { ref, parent, message: options.message, author, changes: decided.changes };
  try {
    return { ...report, commitId: await writeCommit(git, commit) };
  } catch (error) {
    const isMoved = (await git.findCommit(ref)) !== tip;
    throw isMoved ? moved(branch, error) : failed(branch, error);
  }
}

interface Wanted {
  readonly workspacePath: VirtualPath;
  /** The path from the top of the repository. */
  readonly path: VirtualPath;
  readonly before: TreeEntry | undefined;
  readonly after: TreeEntry | undefined;
}

const CONFLICTS = {
  "both-added": "exists",
  "both-changed": "changed",
  "deleted-in-ours": "missing",
  "deleted-in-theirs": "changed",
} as const;

/** Merges each change with the file in the parent commit. */
async function decide(
  git: Git,
  {
    wanted,
    parent,
    base,
    options,
  }: {
    readonly wanted: readonly Wanted[];
    readonly parent: string | undefined;
    readonly base: string | undefined;
    readonly options: CommitOptions;
  },
) {
  const run = { signal: options.signal };
  const files = new Map<string, GitFile>();
  for (const file of parent === undefined ? [] : await listTree(git, parent, run))
    files.set(file.path, file);
  const touched = wanted.flatMap(({ path }) => files.get(path) ?? []);
  const contents = new Map<string, Uint8Array>();
  for await (const blobs of readObjects(git, touched.filter(isRegular), run))
    for (const [{ id }, bytes] of blobs) contents.set(id, bytes);
  const deleted = new Set(
    wanted.filter(({ after }) => after === undefined).map(({ path }) => path),
  );
  const directories = new Set([...files.keys()].flatMap(directoriesAbove));

  const changes: (GitChange & { readonly workspacePath: string })[] = [];
  const conflicts: ApplyConflict[] = [];
  const merged: string[] = [];
  for (const { workspacePath, path, before, after } of wanted) {
    const refuse = (reason: ApplyConflict["reason"]) =>
      conflicts.push({ path: workspacePath, reason });
    const [old, now] = [before, after].map((each) =>
      each?.kind === "directory" ? undefined : each,
    );
    if (old === undefined && now === undefined) continue;
    const file = files.get(path);
    if (old?.kind === "symlink" || now?.kind === "symlink" || (file && !isRegular(file))) {
      refuse("link");
      continue;
    }
    const ours = file && {
      bytes: contents.get(file.id) ?? Buffer.alloc(0),
      executable: file.kind === "executable",
    };
    // A file that the branch never had, such as an untracked one, is new there.
    const isNew = ours === undefined && base === undefined;
    const merge = await mergeFile(
      { base: isNew ? undefined : await versionOf(old), ours, theirs: await versionOf(now) },
      { combine: options.onConflict === "merge" },
    );
    if (merge.kind === "conflict") refuse(CONFLICTS[merge.reason]);
    else if (merge.kind === "delete")
      changes.push({ workspacePath, path, bytes: undefined, kind: "file" });
    else if (merge.kind === "write") {
      const above = directoriesAbove(path).filter(
        (each) => files.has(each) && !deleted.has(each as VirtualPath),
      );
      if (above.length > 0 || directories.has(path)) {
        refuse("blocked");
        continue;
      }
      if (merge.combined) merged.push(workspacePath);
      const kind = merge.executable ? "executable" : "file";
      changes.push({ workspacePath, path, bytes: merge.bytes, kind });
    }
  }
  conflicts.sort((a, b) => paths.compareBytes(a.path, b.path));
  return { changes, conflicts, merged };
}

function isRegular({ kind }: GitFile): boolean {
  return kind === "file" || kind === "executable";
}

async function versionOf(entry: TreeEntry | undefined) {
  return entry && { bytes: await entry.read(), executable: entry.executable };
}

function directoriesAbove(path: string): string[] {
  const found: string[] = [];
  for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1))
    found.push(path.slice(0, at));
  return found;
}

function splitMove({ type, before, after }: TreeChange): Pick<TreeChange, "before" | "after">[] {
  if (type !== "renamed") return [{ before, after }];
  return [
    { before, after: undefined },
    { before: undefined, after },
  ];
}

/** The path of a mount from the top of the repository, without a trailing slash. */
async function prefixOf(mount: CommittedMount, git: Git, run: GitRunOptions): Promise<string> {
  const own = await Git.open(mount.hostPath, run);
  if (own.directory !== git.directory)
    throw new WorkspaceError("NOT_A_REPOSITORY", {
      subject: "mounts",
      reason: "They belong to different repositories. Commit the changes of each repository alone.",
    });
  const name = mount.isDirectory ? "" : mount.hostPath.slice(mount.hostPath.lastIndexOf("/") + 1);
  return (own.prefix + name).replace(/\/$/, "");
}

function repositoryPath(
  workspacePath: VirtualPath,
  prefixes: ReadonlyMap<CommittedMount, string>,
): VirtualPath | undefined {
  for (const [{ mountPath, isDirectory }, prefix] of prefixes) {
    if (!(isDirectory ? paths.isWithin(workspacePath, mountPath) : workspacePath === mountPath))
      continue;
    const below = mountPath === "" ? workspacePath : workspacePath.slice(mountPath.length + 1);
    return [prefix, below].filter((part) => part !== "").join("/") as VirtualPath;
  }
  return undefined;
}

async function requireBranch(git: Git, branch: string, run: GitRunOptions): Promise<void> {
  const checked = await git
    .text(["check-ref-format", "--branch", branch], run)
    .catch(() => undefined);
  if (checked !== branch || branch === "HEAD")
    throw new WorkspaceError("INVALID_BRANCH", {
      subject: `branch '${branch}'`,
      reason: "This is not a valid name of a branch. Use a name such as fix/median.",
    });
  const trees = await git.text(["worktree", "list", "--porcelain"], run);
  const head = git.isBare
    ? ""
    : await git.text(["symbolic-ref", "-q", "HEAD"], run).catch(() => "");
  if (trees.split("\n").includes(`branch refs/heads/${branch}`) || head === `refs/heads/${branch}`)
    throw new WorkspaceError("BRANCH_CHECKED_OUT", {
      subject: `branch '${branch}'`,
      reason:
        "It is checked out, so a commit would change the state of that work tree. Use another branch.",
    });
}

async function requireContained(
  git: Git,
  branch: string,
  base: string,
  tip: string,
  run: GitRunOptions,
): Promise<void> {
  const merged = await git.text(["merge-base", base, tip], run).catch(() => "");
  if (merged !== base) throw moved(branch);
}

/** The user's own identity, from the settings that the hardened commands do not read. */
async function readIdentity(git: Git): Promise<GitIdentity> {
  const home = process.env["HOME"] ?? homedir();
  const env = { HOME: home, GIT_CONFIG_GLOBAL: `${home}/.gitconfig` };
  const read = (key: string) => git.text(["config", "--get", key], { env }).catch(() => "");
  const [name, email] = [await read("user.name"), await read("user.email")];
  return { name: name || "wink", email: email || "wink@localhost" };
}

function moved(branch: string, cause?: unknown): WorkspaceError {
  return new WorkspaceError("BRANCH_MOVED", {
    subject: `branch '${branch}'`,
    reason:
      "It has moved since the files were mounted or committed. Mount it again, or use another branch.",
    cause,
  });
}

function failed(branch: string, cause: unknown): WorkspaceError {
  return new WorkspaceError("GIT_FAILED", {
    subject: `branch '${branch}'`,
    reason: "git could not write the commit. The branch was not changed.",
    cause,
  });
}
