import { AsyncLocalStorage } from "node:async_hooks";
import { InMemoryFilesystem } from "@wink/filesystem";
import { toJustBashFs } from "@wink/tools/bash";

type Content = string | Uint8Array;
type Provider = () => Content | Promise<Content>;
interface Init {
  readonly content: Content;
  readonly mode?: number;
  readonly mtime?: Date;
}

/** just-bash makes some of its filesystems inside a script, where it blocks parts of the runtime. */
const outsideOfScripts = AsyncLocalStorage.snapshot();

/**
 * Replaces just-bash's `InMemoryFs` in its own tests: the same constructor and synchronous calls, over a WINK filesystem.
 * Synchronous changes wait for the next asynchronous call. The limits on names are those of a disk.
 */
export class InMemoryFs {
  readonly #fs: ReturnType<typeof toJustBashFs>;
  readonly #pending: (() => Promise<unknown>)[] = [];
  readonly #lazy = new Map<string, Provider>();
  #flushing: Promise<void> = Promise.resolve();

  constructor(
    files: Readonly<Record<string, Content | Init | Provider>> = {},
    { maxTotalBytes }: { readonly maxTotalBytes?: number } = {},
  ) {
    if (maxTotalBytes !== undefined && !(Number.isSafeInteger(maxTotalBytes) && maxTotalBytes >= 0))
      throw new Error("InMemoryFs: invalid maxTotalBytes");
    this.#fs = outsideOfScripts(() =>
      toJustBashFs(
        new InMemoryFilesystem({
          mountPoint: "/",
          limits: { maxPathDepth: 1_000, maxSegmentCharacters: 255 },
          quotas: { maxTotalBytes },
          allowGit: true,
        }),
      ),
    );
    for (const [path, value] of Object.entries(files))
      if (typeof value === "function") this.writeFileLazy(path, value);
      else if (typeof value === "string" || value instanceof Uint8Array)
        this.writeFileSync(path, value);
      else this.writeFileSync(path, value.content, undefined, value);
  }

  writeFileSync(
    path: string,
    content: Content,
    options?: unknown,
    { mode, mtime }: { readonly mode?: number; readonly mtime?: Date } = {},
  ): void {
    requireText(path, "write");
    this.#pending.push(async () => {
      await this.#fs.writeFile(path, content, options as never);
      if (mode !== undefined) await this.#fs.chmod(path, mode);
      if (mtime !== undefined) await this.#fs.utimes(path, mtime, mtime);
    });
  }

  writeFileLazy(path: string, provider: Provider): void {
    requireText(path, "write");
    this.writeFileSync(path, "");
    this.#lazy.set(this.resolvePath("/", path), provider);
  }

  mkdirSync(path: string, options?: { recursive?: boolean }): void {
    requireText(path, "mkdir");
    this.#pending.push(() => this.#fs.mkdir(path, options));
  }

  async readFile(path: string, options?: never) {
    return await (await this.#load(path)).readFile(path, options);
  }
  async readFileBytes(path: string) {
    const bytes = await this.readFileBuffer(path);
    return Buffer.from(bytes).toString("latin1");
  }
  async readFileBuffer(path: string) {
    return await (await this.#load(path)).readFileBuffer(path);
  }
  async writeFile(path: string, content: Content, options?: never) {
    return await (await this.#forget(path)).writeFile(path, content, options);
  }
  async appendFile(path: string, content: Content, options?: never) {
    return await (await this.#load(path)).appendFile(path, content, options);
  }
  async exists(path: string) {
    return await (await this.#ready()).exists(path);
  }
  async stat(path: string) {
    return await (await this.#load(path)).stat(path);
  }
  async lstat(path: string) {
    return await (await this.#load(path)).lstat(path);
  }
  async mkdir(path: string, options?: { recursive?: boolean }) {
    return await (await this.#ready()).mkdir(path, options);
  }
  async readdir(path: string) {
    return await (await this.#ready()).readdir(path);
  }
  async readdirWithFileTypes(path: string) {
    return await (await this.#ready()).readdirWithFileTypes?.(path);
  }
  async rm(path: string, options?: { recursive?: boolean; force?: boolean }) {
    return await (await this.#forget(path)).rm(path, options);
  }
  async cp(from: string, to: string, options?: { recursive?: boolean }) {
    const provider = this.#lazy.get(this.resolvePath("/", from));
    if (provider === undefined) return await (await this.#ready()).cp(from, to, options);
    this.writeFileLazy(to, provider);
    return await this.#ready();
  }
  async mv(from: string, to: string) {
    return await (await this.#load(from)).mv(from, to);
  }
  resolvePath(base: string, path: string): string {
    return this.#fs.resolvePath(base, path);
  }
  getAllPaths(): string[] {
    return this.#fs.getAllPaths();
  }
  async chmod(path: string, mode: number) {
    return await (await this.#ready()).chmod(path, mode);
  }
  async symlink(target: string, path: string) {
    return await (await this.#ready()).symlink(target, path);
  }
  async link(existing: string, path: string) {
    return await (await this.#load(existing)).link(existing, path);
  }
  async readlink(path: string) {
    return await (await this.#ready()).readlink(path);
  }
  async realpath(path: string) {
    return await (await this.#ready()).realpath(path);
  }
  async utimes(path: string, atime: Date, mtime: Date) {
    return await (await this.#ready()).utimes(path, atime, mtime);
  }

  async #ready() {
    const pending = this.#pending.splice(0);
    if (pending.length > 0)
      this.#flushing = this.#flushing.then(async () => {
        for (const change of pending) await change();
      });
    await this.#flushing;
    return this.#fs;
  }

  /** Calls the provider of a lazy file at its first use. */
  async #load(path: string) {
    const fs = await this.#ready();
    const file = this.resolvePath("/", path);
    const provider = this.#lazy.get(file);
    if (provider === undefined) return fs;
    await fs.writeFile(file, await provider());
    this.#lazy.delete(file);
    return fs;
  }

  async #forget(path: string) {
    this.#lazy.delete(this.resolvePath("/", path));
    return await this.#ready();
  }
}

function requireText(path: string, operation: string): void {
  if (path.includes("\0"))
    throw new Error(`ENOENT: path contains null byte, ${operation} '${path}'`);
}
