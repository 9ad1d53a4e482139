import {
  closeSync,
  constants,
  fchmodSync,
  openSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import {
  baseName,
  isWithin,
  joinPath,
  parentPath,
  ROOT,
  type VirtualPath,
} from "../../path/virtual-path.js";
import { FilesystemError } from "../../protocol/filesystem-error.js";
import type { HostRoot } from "../containment/host-root.js";
import { setDirectoryAttributes, setLinkTime, setTime } from "../containment/node-attributes.js";
import type { PinnedDirectory } from "../containment/pinned-directory.js";
import { removeTree } from "../containment/remove-tree.js";
import { claimTemporary } from "../containment/temporary-claims.js";
import { fromNodeError } from "../process/from-node-error.js";

/** What a staged node stores besides its content. */
export interface StagedAttributes {
  /** Permission bits. @default 0o644, or 0o755 for a directory */
  readonly mode?: number | undefined;
  /** @default the current time */
  readonly modifiedAtMs?: number | undefined;
}

/** New files for a directory. They are hidden until `commit`. */
export interface StagedFiles {
  /** Makes a directory. The caller makes its parents first. Attributes are set when everything is in it. */
  directory(path: VirtualPath, attributes?: StagedAttributes): void;
  /** Writes a file. Its parent directory already exists. */
  file(path: VirtualPath, bytes: Uint8Array, attributes: StagedAttributes): void;
  /**
   * Writes a file that is too large for memory. Returns `false`, with nothing written, if `parts` ends with `false`,
   * because the source has changed. @default files are held in memory
   */
  large?(
    path: VirtualPath,
    parts: Generator<Uint8Array, boolean, void>,
    attributes: StagedAttributes,
  ): boolean;
  /** Makes a symbolic link. Its parent directory already exists. */
  link(path: VirtualPath, target: Uint8Array, attributes: StagedAttributes): void;
  /** Puts everything in place. Throws `EEXIST` if a path is taken. If it throws, nothing was added. */
  commit(signal?: AbortSignal): Promise<void>;
  /** Deletes everything received so far. Never throws. */
  discard(): Promise<void>;
}

const { O_WRONLY, O_CREAT, O_EXCL } = constants;

interface Move {
  readonly from: VirtualPath;
  readonly to: VirtualPath;
}

/**
 * Copies directly into a host directory: first into a hidden temporary directory in it, then by renames. Files are not
 * flushed to disk one by one, because after a crash they can be copied again.
 */
export function stageFiles(root: HostRoot): StagedFiles {
  const claim = claimStage(root);
  const stage = joinPath(ROOT, claim.name);
  const open = new OpenBranch(root, stage);
  const directories: [VirtualPath, StagedAttributes][] = [];

  try {
    root.makeDirectory(root.directory, stage);
  } catch (error) {
    // The directory may exist already: setting its mode fails separately.
    claim.abandon();
    throw fromNodeError(error, "mount", ".");
  }
  return {
    directory(path, attributes) {
      root.makeDirectory(open.enter(parentPath(path)), baseName(path));
      if (attributes !== undefined) directories.push([path, attributes]);
    },
    link(path, target, { modifiedAtMs }) {
      const parent = open.enter(parentPath(path));
      symlinkSync(Buffer.from(target), parent.pathOf(baseName(path)));
      if (modifiedAtMs !== undefined) setLinkTime(parent.pathOf(baseName(path)), modifiedAtMs);
    },
    file(path, bytes, attributes) {
      const target = open.enter(parentPath(path)).pathOf(baseName(path));
      writeStaged(target, attributes, (fd) => writeAll(fd, bytes));
    },
    large(path, parts, attributes) {
      const parent = open.enter(parentPath(path));
      const leaf = baseName(path);
      let isWhole = false;
      try {
        writeStaged(parent.pathOf(leaf), attributes, (fd) => {
          let part = parts.next();
          for (; !part.done; part = parts.next()) writeAll(fd, part.value);
          isWhole = part.value;
        });
      } finally {
        if (!isWhole) unlinkSync(parent.pathOf(leaf));
      }
      return isWhole;
    },
    async commit() {
      for (const [path, { mode = 0o755, modifiedAtMs }] of directories.reverse())
        setDirectoryAttributes(root, open.enter(parentPath(path)), baseName(path), {
          permissions: (mode & 0o777) | 0o700,
          modifiedAtMs,
        });
      open.close();
      const done: Move[] = [];
      try {
        for (const move of planMoves(root, stage, ROOT)) {
          rename(root, move);
          done.push(move);
        }
      } catch (error) {
        for (const { from, to } of done.reverse()) rename(root, { from: to, to: from });
        throw error;
      }
      await removeTree(root, stage);
      claim.release();
    },
    async discard() {
      open.close();
      await removeTree(root, stage).then(
        () => claim.release(),
        () => claim.abandon(),
      );
    },
  };
}

function writeStaged(
  target: string | Buffer,
  { mode = 0o644, modifiedAtMs }: StagedAttributes,
  write: (fd: number) => void,
): void {
  const fd = openSync(target, O_WRONLY | O_CREAT | O_EXCL, 0o600);
  try {
    write(fd);
    fchmodSync(fd, mode & 0o777);
    if (modifiedAtMs !== undefined) setTime(fd, modifiedAtMs);
  } finally {
    closeSync(fd);
  }
}

function writeAll(fd: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; )
    written += writeSync(fd, bytes, written, bytes.length - written);
}

function claimStage(root: HostRoot): ReturnType<typeof claimTemporary> {
  try {
    return claimTemporary(root, root.directory);
  } catch (error) {
    throw fromNodeError(error, "mount", ".");
  }
}

/** Caches the open directories on the path to the one being filled, because the next file is usually nearby. */
class OpenBranch {
  readonly #root: HostRoot;
  readonly #base: VirtualPath;
  readonly #branch: { readonly path: VirtualPath; readonly directory: PinnedDirectory }[] = [];

  constructor(root: HostRoot, base: VirtualPath) {
    this.#root = root;
    this.#base = base;
  }

  enter(path: VirtualPath): PinnedDirectory {
    for (let last = this.#branch.at(-1); last !== undefined; last = this.#branch.at(-1)) {
      if (isWithin(path, last.path)) break;
      this.#root.leave(last.directory);
      this.#branch.pop();
    }
    let { path: reached, directory } = this.#branch.at(-1) ?? this.#start();
    while (reached !== path) {
      const end = path.indexOf("/", reached.length + 1);
      const next = (end < 0 ? path : path.slice(0, end)) as VirtualPath;
      directory = this.#root.openDirectory(directory, baseName(next));
      this.#branch.push({ path: next, directory });
      reached = next;
    }
    return directory;
  }

  close(): void {
    for (const { directory } of this.#branch.splice(0)) this.#root.leave(directory);
  }

  #start() {
    const start = { path: ROOT, directory: this.#root.enter(this.#base) };
    this.#branch.push(start);
    return start;
  }
}

/** Plans the fewest renames that move everything into place. Checks all targets before the first rename. */
function planMoves(root: HostRoot, stage: VirtualPath, below: VirtualPath): Move[] {
  const place = below === "" ? stage : (`${stage}/${below}` as VirtualPath);
  const directory = root.enter(place);
  try {
    return directory.entries().flatMap(({ name, kind }): Move[] => {
      const to = joinPath(below, name);
      const existing = root.inParent(to, (parent, leaf) => parent.stat(leaf));
      if (existing === undefined) return [{ from: joinPath(place, name), to }];
      if (existing.isDirectory() && kind === "directory") return planMoves(root, stage, to);
      throw new FilesystemError("EEXIST", {
        operation: "mount",
        path: to,
        reason: "it already exists in the workspace",
      });
    });
  } finally {
    root.leave(directory);
  }
}

function rename(root: HostRoot, { from, to }: Move): void {
  root.inParent(from, (source, name) =>
    root.inParent(to, (target, newName) => {
      renameSync(source.pathOf(name), target.pathOf(newName));
    }),
  );
}
