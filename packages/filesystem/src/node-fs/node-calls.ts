import type { PathLike } from "node:fs";
import { fileURLToPath } from "node:url";
import type { FileStat, Filesystem } from "../protocol/filesystem.js";
import { followLinks } from "./follow-links.js";
import { NodeError, toNodeError } from "./node-error.js";
import { NodeDirent, NodeStats } from "./node-stats.js";

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
    { throwIfNoEntry = true }: { throwIfNoEntry?: boolean },
  ): Promise<NodeStats | undefined> {
    try {
      return new NodeStats(await this.stat(operation, path, followsLinks));
    } catch (problem) {
      if (!throwIfNoEntry && isMissing(problem)) return undefined;
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

  /** A call that changes what a link leads to. */
  change<Result>(
    operation: string,
    path: PathLike,
    body: (file: string) => Promise<Result>,
  ): Promise<Result> {
    return this.call(operation, path, async (file) => body(await followLinks(this.#files, file)));
  }

  async call<Result>(
    operation: string,
    path: PathLike,
    body: (file: string) => Promise<Result>,
  ): Promise<Result> {
    const file = textOf(path);
    try {
      return await body(file);
    } catch (problem) {
      throw toNodeError(problem, operation, file);
    }
  }
}

export function textOf(path: PathLike): string {
  if (typeof path === "string") return path;
  return path instanceof URL ? fileURLToPath(path) : path.toString();
}

export function permissions(mode: number | string): number {
  return (typeof mode === "string" ? Number.parseInt(mode, 8) : mode) & 0o777;
}

export function nodeError(code: string, text: string, operation: string, path: PathLike): Error {
  return new NodeError(code, text, { operation, path: textOf(path) });
}

function isMissing(problem: unknown): boolean {
  return problem instanceof NodeError && problem.code === "ENOENT";
}
