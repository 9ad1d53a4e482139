import {
  type FilesystemSnapshot,
  type SnapshotableFilesystem,
  SnapshotError,
  type TreeEntry,
  type VirtualPath,
  wrapFilesystem,
} from "@wink/filesystem";
import { requirePath } from "../error/require-path.js";
import { originalPath, storedPath } from "./git-names.js";
import { Git, type GitRunOptions } from "./git-plumbing.js";
import { type GitFile, listTree, readObjects } from "./git-tree.js";
import { type GitChange, writeCommit } from "./write-commit.js";

const REFS = "refs/sandbox/snapshots/";
const NAME = /^[A-Za-z0-9_][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*$/;
const CREATED = "Wink-Created: ";
const AUTHOR = { name: "wink", email: "wink@localhost" };
const FORMAT = "%(objectname)%00%(refname)%00%(creatordate:iso-strict)%00%(contents)%00";

/**
 * The same files, with snapshots in the user's repository instead of the filesystem's own store: commits under
 * `refs/sandbox/snapshots/<name>`, which branches, tags and the log do not show. A snapshot without a name stays in the
 * filesystem's own store. git cannot store empty directories, so a restore removes them.
 *
 * Use it only for a repository whose `.git` the agent cannot write to. Needs git.
 *
 * @param directory a directory in the repository
 */
export async function withRepositorySnapshots(
  filesystem: SnapshotableFilesystem,
  directory: string,
): Promise<SnapshotableFilesystem> {
  requirePath("directory", directory);
  const git = await Git.open(directory);
  const snapshots = new RepositorySnapshots(git, filesystem);
  return wrapFilesystem(filesystem, (_call, run) => run(), {
    // A snapshot without a name is temporary, so it stays in the filesystem's own store.
    snapshot: (options = {}) =>
      options.name === undefined ? filesystem.snapshot(options) : snapshots.create(options),
    snapshots: (options = {}) => snapshots.list(options),
    deleteSnapshot: (snapshot, options) =>
      snapshot.name === undefined
        ? filesystem.deleteSnapshot(snapshot, options)
        : snapshots.delete(snapshot),
    restore: (snapshot, options = {}) =>
      snapshots.using(snapshot, options, (own) => filesystem.restore(own, options)),
    diff: (from, to, options = {}) =>
      snapshots.using(from, options, (own) =>
        to === undefined
          ? filesystem.diff(own, undefined, options)
          : snapshots.using(to, options, (other) => filesystem.diff(own, other, options)),
      ),
    prune: async () => ({ deleted: [], heldBytes: 0 }),
  });
}

class RepositorySnapshots {
  readonly #git: Git;
  readonly #filesystem: SnapshotableFilesystem;

  constructor(git: Git, filesystem: SnapshotableFilesystem) {
    this.#git = git;
    this.#filesystem = filesystem;
  }

  async create(options: {
    readonly name?: string | undefined;
    readonly tag?: string | undefined;
    readonly signal?: AbortSignal | undefined;
  }): Promise<FilesystemSnapshot> {
    const { name = "", tag = "", signal } = options;
    if (!NAME.test(name) || name.endsWith(".lock")) throw new SnapshotError("INVALID_NAME");
    const changes: GitChange[] = [];
    for (const entry of await this.#entries(signal)) {
      if (entry.kind === "directory") continue;
      const kind = entry.kind === "file" && entry.executable ? "executable" : entry.kind;
      const path = storedPath(entry.path) as VirtualPath;
      changes.push({ path, bytes: await entry.read(), kind });
    }
    const createdAt = new Date().toISOString();
    const message = `${tag || name}\n\n${CREATED}${createdAt}\n`;
    const commit = { ref: REFS + name, parent: undefined, message, author: AUTHOR, changes };
    const commitId = await writeCommit(this.#git, commit, { signal, force: true });
    return this.#describe(commitId, name, createdAt, tag);
  }

  async list(options: GitRunOptions): Promise<readonly FilesystemSnapshot[]> {
    const args = ["for-each-ref", `--format=${FORMAT}`, REFS];
    const fields = (await this.#git.text(args, options)).split("\0");
    const found: FilesystemSnapshot[] = [];
    for (let at = 0; at + 4 <= fields.length; at += 4) {
      const [id = "", ref = "", date = "", contents = ""] = fields.slice(at, at + 4);
      const mark = contents.lastIndexOf(`\n\n${CREATED}`);
      const created = mark < 0 ? date : contents.slice(mark + 2 + CREATED.length).trim();
      const tag = mark < 0 ? contents.trim() : contents.slice(0, mark);
      const name = ref.slice(REFS.length);
      found.push(this.#describe(id.trim(), name, created, tag === name ? "" : tag));
    }
    return found.sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  }

  async delete({ name = "", commitRef }: FilesystemSnapshot): Promise<void> {
    await this.#requireName(name, {});
    const input = Buffer.from(`delete ${REFS}${name} ${commitRef}\n`);
    await this.#git.run(["update-ref", "--stdin"], { input });
  }

  /** Runs `body` with a snapshot of the filesystem's own that has the same files. */
  async using<T>(
    snapshot: FilesystemSnapshot,
    options: GitRunOptions,
    body: (own: FilesystemSnapshot) => Promise<T>,
  ): Promise<T> {
    const { name } = snapshot;
    if (name === undefined) return await body(snapshot);
    const commitId = await this.#requireName(name, options);
    const files = await listTree(this.#git, commitId, options);
    const own = await this.#filesystem.importSnapshot({
      entries: () => this.#read(files, options),
    });
    try {
      return await body(own);
    } finally {
      await this.#filesystem.deleteSnapshot(own);
    }
  }

  async *#read(
    files: readonly GitFile[],
    options: GitRunOptions,
  ): AsyncGenerator<TreeEntry, void, void> {
    const made = new Set<string>();
    for await (const blobs of readObjects(this.#git, files, options))
      for (const [file, bytes] of blobs) {
        const path = originalPath(file.path);
        for (let at = path.indexOf("/"); at > 0; at = path.indexOf("/", at + 1)) {
          const directory = path.slice(0, at);
          if (made.has(directory)) continue;
          made.add(directory);
          yield entryOf(directory, "directory", new Uint8Array(), false, "");
        }
        const kind = file.kind === "symlink" ? "symlink" : "file";
        yield entryOf(path, kind, bytes, file.kind === "executable", file.id);
      }
  }

  /** All current files, read as the difference to an empty snapshot. */
  async #entries(signal: AbortSignal | undefined): Promise<readonly TreeEntry[]> {
    const empty = await this.#filesystem.importSnapshot({ entries: () => [] });
    try {
      const { files: _, ...all } = await this.#filesystem.diff(empty, undefined, { signal });
      return all.entries().flatMap(({ after }) => after ?? []);
    } finally {
      await this.#filesystem.deleteSnapshot(empty);
    }
  }

  async #requireName(name: string, options: GitRunOptions): Promise<string> {
    const id = NAME.test(name) ? await this.#git.findCommit(REFS + name, options) : undefined;
    if (id === undefined) throw new SnapshotError("UNKNOWN_SNAPSHOT");
    return id;
  }

  #describe(commitId: string, name: string, createdAt: string, tag: string): FilesystemSnapshot {
    return Object.freeze({
      snapshotId: commitId,
      createdAt,
      commitRef: commitId,
      rootPath: this.#filesystem.root,
      name,
      ...(tag !== "" && { tag }),
    });
  }
}

function entryOf(
  path: string,
  kind: TreeEntry["kind"],
  bytes: Uint8Array,
  executable: boolean,
  contentId: string,
): TreeEntry {
  // `listTree` refuses paths that are not normal.
  return {
    path: path as VirtualPath,
    kind,
    executable,
    sizeBytes: bytes.length,
    contentId,
    read: () => bytes,
  };
}
