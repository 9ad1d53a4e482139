import {
  createFilesystem,
  type DriverEntry,
  type DriverStat,
  type Filesystem,
  type FilesystemDriver,
  FilesystemError,
  paths,
  type VirtualPath,
} from "@wink/filesystem";
import { WorkspaceError } from "../error/workspace-error.js";
import { Git, type GitRunOptions } from "./git-plumbing.js";
import { type GitFile, listTree, readObjects } from "./git-tree.js";

/** How much is read in advance while files are read in their order, and how many files. */
const MAX_BATCH_BYTES = 8 * 1024 * 1024;
const MAX_BATCH_FILES = 512;

/** The files of a commit. */
export interface RevisionFilesystem {
  readonly filesystem: Filesystem;
  readonly commitId: string;
}

/**
 * A read-only filesystem with the files that a commit has in a directory of its work tree. Lists the tree when it is
 * opened, and reads contents when they are needed. Submodules are left out.
 */
export async function openRevision(
  hostPath: string,
  rev: string,
  options: GitRunOptions,
): Promise<RevisionFilesystem> {
  const git = await Git.open(hostPath, options);
  const commitId = await git.findCommit(rev, options);
  if (commitId === undefined)
    throw new WorkspaceError("UNKNOWN_REVISION", {
      subject: `revision '${rev}'`,
      reason: "It names no commit. List branches with git branch.",
    });
  const tree = git.prefix === "" ? commitId : `${commitId}:${git.prefix.replace(/\/$/, "")}`;
  const files = (await listTree(git, tree, options)).filter(({ kind }) => kind !== "submodule");
  const sizes = await sizesOf(git, files, options);
  const driver = new RevisionDriver(git, files, sizes);
  return { filesystem: createFilesystem(driver, { readOnly: true, allowGit: true }), commitId };
}

async function sizesOf(
  git: Git,
  files: readonly GitFile[],
  options: GitRunOptions,
): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map<string, number>();
  if (files.length === 0) return sizes;
  const input = Buffer.from(files.map(({ id }) => `${id}\n`).join(""));
  const output = await git.run(["cat-file", "--batch-check", "--buffer"], { ...options, input });
  for (const line of output.toString("latin1").split("\n")) {
    const [id = "", , size] = line.split(" ");
    if (size !== undefined) sizes.set(id, Number(size));
  }
  return sizes;
}

class RevisionDriver implements FilesystemDriver {
  readonly name = "git revision";
  readonly stores = ["links"] as const;
  readonly #git: Git;
  readonly #files: readonly GitFile[];
  readonly #sizes: ReadonlyMap<string, number>;
  /** The position of each file. */
  readonly #positions = new Map<string, number>();
  readonly #directories = new Map<string, Map<string, DriverEntry["kind"]>>([["", new Map()]]);
  #batch = new Map<string, Uint8Array>();
  /** Where the last batch ended, and how many files it had. */
  #end = -1;
  #count = 1;

  constructor(git: Git, files: readonly GitFile[], sizes: ReadonlyMap<string, number>) {
    this.#git = git;
    this.#files = files;
    this.#sizes = sizes;
    for (const [position, { path, kind }] of files.entries()) {
      this.#positions.set(path, position);
      this.#list(path, kind === "symlink" ? "symlink" : "file");
    }
  }

  stat(path: VirtualPath): DriverStat | undefined {
    if (this.#directories.has(path)) return { kind: "directory", sizeBytes: 0 };
    const file = this.#files[this.#positions.get(path) ?? -1];
    if (file === undefined) return undefined;
    return {
      kind: file.kind === "symlink" ? "symlink" : "file",
      sizeBytes: this.#sizes.get(file.id) ?? 0,
      mode: file.kind === "executable" ? 0o755 : 0o644,
      revision: file.id,
    };
  }

  list(path: VirtualPath): readonly DriverEntry[] {
    return [...(this.#directories.get(path) ?? [])].map(([name, kind]) => ({ name, kind }));
  }

  async read(
    path: VirtualPath,
    offset: number,
    length: number,
    { signal }: GitRunOptions,
  ): Promise<Uint8Array> {
    const position = this.#positions.get(path) ?? -1;
    const file = this.#files[position];
    if (file === undefined) throw new FilesystemError("ENOENT", { operation: "read", path });
    if (!this.#batch.has(file.id)) await this.#readFrom(position, signal);
    return (this.#batch.get(file.id) ?? new Uint8Array()).slice(offset, offset + length);
  }

  write = () => readOnly();
  mkdir = () => readOnly();
  remove = () => readOnly();

  /** Reads a file, and more of the next ones each time that a caller reads them in their order. */
  async #readFrom(position: number, signal: AbortSignal | undefined): Promise<void> {
    this.#count = position === this.#end ? Math.min(this.#count * 4, MAX_BATCH_FILES) : 1;
    const wanted: GitFile[] = [];
    let bytes = 0;
    for (const file of this.#files.slice(position, position + this.#count)) {
      bytes += this.#sizes.get(file.id) ?? 0;
      if (wanted.length > 0 && bytes > MAX_BATCH_BYTES) break;
      wanted.push(file);
    }
    const batch = new Map<string, Uint8Array>();
    for await (const objects of readObjects(this.#git, wanted, { signal }))
      for (const [{ id }, content] of objects) batch.set(id, content);
    this.#batch = batch;
    this.#end = position + wanted.length;
  }

  #list(path: VirtualPath, kind: DriverEntry["kind"]): void {
    const parent = paths.parentPath(path);
    if (!this.#directories.has(parent)) {
      this.#directories.set(parent, new Map());
      this.#list(parent, "directory");
    }
    this.#directories.get(parent)?.set(paths.baseName(path), kind);
  }
}

function readOnly(): never {
  throw new FilesystemError("EROFS", { operation: "write", path: "." });
}
