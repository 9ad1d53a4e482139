import { AsyncLocalStorage } from "node:async_hooks";
import { posix } from "node:path";
import { type FileStat, type Filesystem, isFilesystemError } from "@wink/filesystem";
import { followLinks, followParentLinks, NodeError, toNodeError } from "@wink/filesystem/internal";
import { HardLinks } from "./hard-links.js";
import { normalise, relative } from "./shell-path.js";

export interface ShellFilesOptions {
  readonly signal: AbortSignal | undefined;
  /**
   * Whether copies, moves and links behave as in bash, not as in just-bash's own filesystems: they create no missing
   * directories, and a copy of a link is a copy of its file. A write always creates missing directories, because
   * just-bash ends the script if the filesystem refuses a redirection. @default false
   */
  readonly likeBash?: boolean;
  /**
   * The directory of the files in the shell, if the filesystem does not know it. A link to an absolute path below it is
   * stored with a relative target. @default links are stored as they are
   */
  readonly mountPoint?: string | undefined;
}

type Options = { readonly signal: AbortSignal | undefined };

/** The files of a workspace, with the links and errors that a shell expects. Paths are absolute, and `/` is the root. */
export class ShellFiles {
  readonly filesystem: Filesystem;
  readonly signal: AbortSignal | undefined;
  readonly likeBash: boolean;
  readonly #mountPoint: string | undefined;
  /** The options of copies, moves and links. */
  readonly #creating: Options & { readonly createParents: boolean };
  // just-bash blocks parts of the runtime while a script runs, also for a filesystem that the script calls. Calls
  // run in the context of the caller instead.
  readonly #leave = AsyncLocalStorage.snapshot();
  readonly #links = new HardLinks();

  constructor(filesystem: Filesystem, { signal, likeBash = false, mountPoint }: ShellFilesOptions) {
    this.filesystem = filesystem;
    this.signal = signal;
    this.#mountPoint = mountPoint;
    this.likeBash = likeBash;
    this.#creating = { signal, createParents: !likeBash };
  }

  find(path: string, { followLinks: follow }: { followLinks: boolean }): Promise<FileStat> {
    return this.filesystem.stat(relative(path), { signal: this.signal, followLinks: follow });
  }

  /** Identifies the file of a stat: equal for all its names. */
  identityOf(stat: FileStat): string {
    return this.#links.identityOf(stat.identity) ?? stat.identity;
  }

  /** The path without links. A shell follows all of them when it writes. */
  follow(path: string): Promise<string> {
    return followLinks(this.filesystem, relative(path), { signal: this.signal });
  }

  /** The path without links in its directories. */
  locate(path: string): Promise<string> {
    return followParentLinks(this.filesystem, relative(path), { signal: this.signal });
  }

  /** Changes the file at `path` and its hard links. The path may be a symbolic link to the file. */
  async change(
    operation: string,
    path: string,
    change: (file: string, options: Options) => Promise<unknown>,
  ): Promise<void> {
    await this.call(operation, path, async (options) => {
      for (const file of this.#links.namesOf(await this.follow(path))) await change(file, options);
    });
  }

  async remove(path: string, recursive: boolean): Promise<void> {
    await this.call("rm", path, async (options) => {
      const file = await this.locate(path);
      await this.filesystem.delete(file, { ...options, recursive });
      this.#links.remove(file);
    });
  }

  /** Makes a directory for a copy. */
  async makeDirectory(path: string): Promise<void> {
    const { createParents: parents } = this.#creating;
    await this.call("mkdir", path, async (options) =>
      this.filesystem.mkdir(await this.locate(path), { ...options, parents }),
    );
  }

  /** Copies the contents and attributes of a file. Both paths may be links to files. */
  async copyFile(from: string, to: string): Promise<void> {
    const source = await this.call("cp", from, () => this.follow(from));
    await this.change("cp", to, (file) =>
      this.filesystem.copy(source, file, { ...this.#creating, overwrite: true }),
    );
  }

  /** Copies a link as a link. */
  async copyLink(from: string, to: string): Promise<void> {
    await this.#transfer("copy", from, to);
  }

  async move(from: string, to: string): Promise<void> {
    await this.#transfer("move", from, to);
  }

  async symlink(target: string, path: string): Promise<void> {
    await this.call("symlink", path, async () => {
      const file = await this.locate(path);
      await this.filesystem.symlink(this.#targetFrom(file, target), file, this.#creating);
    });
  }

  /** Gives a file a second name. */
  async link(existing: string, path: string): Promise<void> {
    await this.call("link", path, async () => {
      const [from, to] = [await this.locate(existing), await this.locate(path)];
      await this.filesystem.copy(from, to, this.#creating);
      this.#links.add(from, to);
    });
  }

  async call<Result>(
    operation: string,
    path: string,
    call: (options: Options) => Promise<Result>,
  ): Promise<Result> {
    if (path.includes("\0")) throw nodeError("ENOENT", "path contains null byte", operation, path);
    try {
      return await this.#leave(() => call({ signal: this.signal }));
    } catch (error) {
      throw this.#quotaError(error, operation, path) ?? toNodeError(error, operation, path);
    }
  }

  #targetFrom(file: string, target: string): string {
    const mountPoint = this.#mountPoint;
    if (mountPoint === undefined || !`${target}/`.startsWith(`${mountPoint}/`)) return target;
    const below = normalise(target.slice(mountPoint.length));
    return posix.relative(posix.dirname(`/${file}`), below) || ".";
  }

  async #transfer(how: "copy" | "move", from: string, to: string): Promise<void> {
    await this.call(how === "copy" ? "cp" : "mv", from, async () => {
      const [source, target] = [await this.locate(from), await this.locate(to)];
      await this.filesystem[how](source, target, { ...this.#creating, overwrite: true });
      if (how === "move") this.#links.move(source, target);
      else this.#links.remove(target);
    });
  }

  /** The error of a full filesystem, with its limit. */
  #quotaError(error: unknown, operation: string, path: string): Error | undefined {
    const { maxTotalBytes } = this.filesystem.quotas;
    if (!isFilesystemError(error, "EDQUOT") || maxTotalBytes === undefined) return undefined;
    const text = `no space left on device, byte limit exceeded (${maxTotalBytes} bytes)`;
    return nodeError("ENOSPC", text, operation, path);
  }
}

export function nodeError(code: string, text: string, operation: string, path: string): Error {
  return new NodeError(code, text, { operation, path });
}
