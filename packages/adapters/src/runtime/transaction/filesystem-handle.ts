import type * as fs from "@wink/filesystem";
import { type HandleOwner, OWNER } from "./call-resource.js";
import type { HandleState } from "./handle-state.js";
import { ReaderHandle, TextHandle, WriterHandle } from "./stream-handles.js";

/**
 * The filesystem handle of one call.
 *
 * Every operation gets the call's signal. After the call has ended, every operation, also on
 * streams, fails with `EBADF`.
 */
export class FilesystemHandle implements fs.Filesystem {
  readonly [OWNER]: HandleOwner;
  readonly #state: HandleState;
  readonly #files: fs.Filesystem;

  constructor(state: HandleState, owner: HandleOwner) {
    this[OWNER] = owner;
    this.#state = state;
    this.#files = state.target;
  }

  get root(): string {
    return this.#files.root;
  }

  get readOnly(): boolean {
    return !this.#state.mayChangeFiles || this.#files.readOnly;
  }

  get mountPoint(): string | undefined {
    return this.#files.mountPoint;
  }

  get limits(): fs.FilesystemLimits {
    return this.#files.limits;
  }

  get quotas(): fs.FilesystemQuotas {
    return this.#files.quotas;
  }

  read(path: string, options?: fs.ReadOptions): Promise<fs.ReadResult> {
    return this.#resolve("read", path, () => this.#files.read(path, this.#state.within(options)));
  }

  readBytes(path: string, options?: fs.ReadBytesOptions): Promise<fs.ReadBytesResult> {
    return this.#resolve("readBytes", path, () =>
      this.#files.readBytes(path, this.#state.within(options)),
    );
  }

  exists(path: string, options?: fs.CallOptions): Promise<boolean> {
    return this.#look("exists", path, () => this.#files.exists(path, this.#state.within(options)));
  }

  stat(path: string, options?: fs.StatOptions): Promise<fs.FileStat> {
    return this.#resolve("stat", path, () => this.#files.stat(path, this.#state.within(options)));
  }

  readlink(path: string, options?: fs.CallOptions): Promise<string> {
    return this.#look("readlink", path, () =>
      this.#files.readlink(path, this.#state.within(options)),
    );
  }

  realpath(path: string, options?: fs.CallOptions): Promise<string> {
    return this.#look("realpath", path, () =>
      this.#files.realpath(path, this.#state.within(options)),
    );
  }

  contentId(path: string, options?: fs.CallOptions): Promise<string> {
    return this.#look("contentId", path, () =>
      this.#files.contentId(path, this.#state.within(options)),
    );
  }

  list(path = ".", options?: fs.ListOptions): Promise<fs.Cut<fs.FileEntry>> {
    return this.#look("list", path, () => this.#files.list(path, this.#state.within(options)));
  }

  glob(pattern: string, options?: fs.GlobOptions): Promise<fs.Cut<fs.GlobMatch>> {
    return this.#look("glob", options?.path ?? ".", () =>
      this.#files.glob(pattern, this.#state.within(options)),
    );
  }

  grep(pattern: string, options?: fs.GrepOptions): Promise<fs.GrepResult> {
    return this.#look("grep", options?.path ?? ".", () =>
      this.#files.grep(pattern, this.#state.within(options)),
    );
  }

  usage(options?: fs.CallOptions): Promise<fs.Usage> {
    return this.#look("usage", ".", () => this.#files.usage(this.#state.within(options)));
  }

  openRead(path: string, options?: fs.OpenReadOptions): Promise<fs.FileReader> {
    return this.#look("openRead", path, async () => {
      const reader = await this.#files.openRead(path, this.#state.within(options));
      return new ReaderHandle(reader, this.#state);
    });
  }

  openText(path: string, options?: fs.CallOptions): Promise<fs.TextReader> {
    return this.#look("openText", path, async () => {
      const reader = await this.#files.openText(path, this.#state.within(options));
      return new TextHandle(reader, this.#state);
    });
  }

  write(path: string, content: string, options?: fs.WriteOptions): Promise<fs.WriteResult> {
    return this.#put("write", path, () =>
      this.#files.write(path, content, this.#state.within(options)),
    );
  }

  writeBytes(
    path: string,
    content: Uint8Array,
    options?: fs.WriteOptions,
  ): Promise<fs.WriteResult> {
    return this.#put("writeBytes", path, () =>
      this.#files.writeBytes(path, content, this.#state.within(options)),
    );
  }

  delete(path: string, options?: fs.DeleteOptions): Promise<void> {
    return this.#state.change("delete", [path], () =>
      this.#files.delete(path, this.#state.within(options)),
    );
  }

  mkdir(path: string, options?: fs.MkdirOptions): Promise<void> {
    return this.#state.change("mkdir", [path], () =>
      this.#files.mkdir(path, this.#state.within(options)),
    );
  }

  copy(from: string, to: string, options?: fs.TransferOptions): Promise<void> {
    return this.#state.change("copy", [to], () =>
      this.#files.copy(from, to, this.#state.within(options)),
    );
  }

  move(from: string, to: string, options?: fs.TransferOptions): Promise<void> {
    return this.#state.change("move", [from, to], () =>
      this.#files.move(from, to, this.#state.within(options)),
    );
  }

  symlink(target: string, path: string, options?: fs.SymlinkOptions): Promise<void> {
    return this.#state.change("symlink", [path], () =>
      this.#files.symlink(target, path, this.#state.within(options)),
    );
  }

  chmod(path: string, mode: number, options?: fs.CallOptions): Promise<void> {
    return this.#state.change("chmod", [path], () =>
      this.#files.chmod(path, mode, this.#state.within(options)),
    );
  }

  utimes(path: string, modifiedAt: Date | string, options?: fs.CallOptions): Promise<void> {
    return this.#state.change("utimes", [path], () =>
      this.#files.utimes(path, modifiedAt, this.#state.within(options)),
    );
  }

  openWrite(path: string, options?: fs.WriteOptions): Promise<fs.FileWriter> {
    return this.#state.prepare("openWrite", String(path), async () => {
      const writer = await this.#files.openWrite(path, this.#state.within(options));
      return new WriterHandle(writer, this.#state);
    });
  }

  /** Files without transactions cannot be changed in a call. */
  transact<T>(
    body: (files: fs.Filesystem) => Promise<T> | T,
    options?: fs.TransactOptions,
  ): Promise<T> {
    return this.#state.prepare("transact", ".", () =>
      this.#files.transact(() => body(this), this.#state.within(options)),
    );
  }

  #look<T>(operation: string, path: string, body: () => Promise<T>): Promise<T> {
    return this.#state.run(operation, String(path), body);
  }

  #resolve<T extends { readonly path: string }>(
    operation: string,
    path: string,
    body: () => Promise<T>,
  ): Promise<T> {
    return this.#look(operation, path, () => this.#state.resolved(path, body()));
  }

  #put(
    operation: string,
    path: string,
    body: () => Promise<fs.WriteResult>,
  ): Promise<fs.WriteResult> {
    return this.#state.change(operation, [path], async () => {
      const result = await body();
      this.#state.written(path, result);
      return result;
    });
  }
}
