import type { PathLike } from "node:fs";
import { fileURLToPath } from "node:url";
import type { FileStat, Filesystem } from "../protocol/filesystem.js";
import { followLinks, followParentLinks } from "./follow-links.js";
import { invalidType, NodeError, toNodeError } from "./node-error.js";
import { NodeDirent, NodeStats, withBigInts } from "./node-stats.js";

/** Calls of a filesystem with the paths and errors of `node:fs`. */
export class NodeCalls {
  readonly #files: Filesystem;

  constructor(files: Filesystem) {
    this.#files = files;
  }

  async entries(operation: string, path: PathLike): Promise<NodeDirent[]> {
    return await this.change(operation, path, async (file) => {
      const entries = await this.#files.list(file);
      return entries.map((entry) => new NodeDirent(entry, textOf(path)));
    });
  }

  async stats(
    operation: string,
    path: PathLike,
    followsLinks: boolean,
    options: { throwIfNoEntry?: boolean; bigint?: boolean } | null,
  ): Promise<NodeStats | undefined> {
    try {
      const stats = new NodeStats(await this.stat(operation, path, followsLinks));
      return options?.bigint ? withBigInts(stats) : stats;
    } catch (problem) {
      if (options?.throwIfNoEntry === false && isMissing(problem)) return undefined;
      throw problem;
    }
  }

  stat(operation: string, path: PathLike, follow: boolean): Promise<FileStat> {
    return this.call(operation, path, (file) => this.#files.stat(file, { followLinks: follow }));
  }

  async statOrNone(operation: string, path: PathLike, force: boolean) {
    try {
      return await this.stat(operation, path, false);
    } catch (problem) {
      if (force && isMissing(problem)) return undefined;
      throw problem;
    }
  }

  /** The topmost directory of the path that does not exist, which `mkdir` reports. */
  async firstMissing(path: string): Promise<string | undefined> {
    const segments = path.split("/").filter((segment) => segment !== "" && segment !== ".");
    for (let count = 1; count <= segments.length; count++) {
      const directory = segments.slice(0, count).join("/");
      const given = path.startsWith("/") ? `/${directory}` : directory;
      if (!(await this.#files.exists(given))) return given;
    }
    return undefined;
  }

  absolute(path: string): string {
    if (path.startsWith("/")) return path;
    const root = this.#files.mountPoint ?? "/";
    const below = path === "." ? "" : path;
    return `${root}/${below}`.replace(/\/{2,}/g, "/").replace(/(?<=.)\/$/, "");
  }

  follow(operation: string, path: PathLike): Promise<string> {
    return this.call(operation, path, (file) => followLinks(this.#files, file));
  }

  /** A call that follows a link and changes its target. */
  change<Result>(
    operation: string,
    path: PathLike,
    body: (file: string) => Promise<Result>,
  ): Promise<Result> {
    return this.call(operation, path, async (file) => body(await followLinks(this.#files, file)));
  }

  /** A call that changes the entry of a directory, also if that entry is a link. */
  changeEntry<Result>(
    operation: string,
    path: PathLike,
    body: (file: string) => Promise<Result>,
  ): Promise<Result> {
    return this.call(operation, path, async (file) =>
      body(await followParentLinks(this.#files, file)),
    );
  }

  /** Moves a node. As in Node, a directory replaces only an empty directory, and a file never replaces a directory. */
  rename(from: PathLike, to: PathLike): Promise<void> {
    return this.changeEntry("rename", from, async (source) => {
      const target = await followParentLinks(this.#files, textOf(to));
      const { isDirectory } = await this.#files.stat(source, { followLinks: false });
      const replaced = await this.statOrNone("rename", target, true);
      if (replaced?.isDirectory && !isDirectory)
        throw nodeError("EISDIR", "illegal operation on a directory", "rename", from);
      if (replaced?.isDirectory && (await this.#files.list(target)).length > 0)
        throw nodeError("ENOTEMPTY", "directory not empty", "rename", from);
      if (replaced !== undefined && !replaced.isDirectory && isDirectory)
        throw nodeError("ENOTDIR", "not a directory", "rename", from);
      await this.#files.move(source, target, { overwrite: true, createParents: false });
    });
  }

  async call<Result>(
    operation: string,
    path: PathLike,
    body: (file: string) => Promise<Result>,
  ): Promise<Result> {
    const file = textOf(path);
    if (file === "") throw nodeError("ENOENT", "no such file or directory", operation, path);
    try {
      return await body(file);
    } catch (problem) {
      throw toNodeError(problem, operation, file);
    }
  }
}

export function textOf(path: PathLike): string {
  if (typeof path === "string") return path;
  if (path instanceof URL) return fileURLToPath(path);
  if (Buffer.isBuffer(path)) return path.toString();
  throw invalidType("path", "a string, a Buffer or a URL", path);
}

export function permissions(mode: number | string): number {
  if (typeof mode === "symbol") throw invalidType("mode", "a number or a string", mode);
  return (typeof mode === "string" ? Number.parseInt(mode, 8) : mode) & 0o777;
}

export function nodeError(code: string, text: string, operation: string, path: PathLike): Error {
  return new NodeError(code, text, { operation, path: textOf(path) });
}

function isMissing(problem: unknown): boolean {
  return problem instanceof NodeError && problem.code === "ENOENT";
}
