import {
  InMemoryFilesystem,
  type InMemoryFilesystemOptions,
} from "../memory/in-memory-filesystem.js";
import type { Filesystem } from "../protocol/filesystem.js";
import { FilesystemError } from "../protocol/filesystem-error.js";

/** The name of a method of {@link Filesystem}. */
export type FilesystemOperation = {
  [Name in keyof Filesystem]: Filesystem[Name] extends (...args: never) => unknown ? Name : never;
}[keyof Filesystem];

export interface RecordedCall {
  readonly operation: FilesystemOperation;
  readonly args: readonly unknown[];
}

/** For tests of code that uses a filesystem: a real one in memory that records its calls and fails on request. */
export class MockFilesystem implements Filesystem {
  /** The underlying filesystem. Its calls are not recorded. */
  readonly files: InMemoryFilesystem;
  readonly #calls: RecordedCall[] = [];
  readonly #failures = new Map<FilesystemOperation, unknown[]>();

  constructor(options: InMemoryFilesystemOptions = {}) {
    this.files = new InMemoryFilesystem(options);
  }

  /** Every call so far, oldest first. */
  get calls(): readonly RecordedCall[] {
    return [...this.#calls];
  }

  /** Makes the next call of `operation` fail. Call it twice to make the next two fail. @default an `EIO` */
  failNext(
    operation: FilesystemOperation,
    error: unknown = new FilesystemError("EIO", { operation, path: "." }),
  ): void {
    this.#failures.set(operation, [...(this.#failures.get(operation) ?? []), error]);
  }

  /** Clears the recorded calls and the pending failures. */
  reset(): void {
    this.#calls.length = 0;
    this.#failures.clear();
  }

  get root(): string {
    return this.files.root;
  }
  get readOnly(): boolean {
    return this.files.readOnly;
  }
  get mountPoint(): string | undefined {
    return this.files.mountPoint;
  }
  get limits(): Filesystem["limits"] {
    return this.files.limits;
  }
  get quotas(): Filesystem["quotas"] {
    return this.files.quotas;
  }

  read(...args: Parameters<Filesystem["read"]>) {
    return this.#call("read", args, () => this.files.read(...args));
  }
  readBytes(...args: Parameters<Filesystem["readBytes"]>) {
    return this.#call("readBytes", args, () => this.files.readBytes(...args));
  }
  exists(...args: Parameters<Filesystem["exists"]>) {
    return this.#call("exists", args, () => this.files.exists(...args));
  }
  stat(...args: Parameters<Filesystem["stat"]>) {
    return this.#call("stat", args, () => this.files.stat(...args));
  }
  list(...args: Parameters<Filesystem["list"]>) {
    return this.#call("list", args, () => this.files.list(...args));
  }
  glob(...args: Parameters<Filesystem["glob"]>) {
    return this.#call("glob", args, () => this.files.glob(...args));
  }
  grep(...args: Parameters<Filesystem["grep"]>) {
    return this.#call("grep", args, () => this.files.grep(...args));
  }
  write(...args: Parameters<Filesystem["write"]>) {
    return this.#call("write", args, () => this.files.write(...args));
  }
  writeBytes(...args: Parameters<Filesystem["writeBytes"]>) {
    return this.#call("writeBytes", args, () => this.files.writeBytes(...args));
  }
  delete(...args: Parameters<Filesystem["delete"]>) {
    return this.#call("delete", args, () => this.files.delete(...args));
  }
  mkdir(...args: Parameters<Filesystem["mkdir"]>) {
    return this.#call("mkdir", args, () => this.files.mkdir(...args));
  }
  copy(...args: Parameters<Filesystem["copy"]>) {
    return this.#call("copy", args, () => this.files.copy(...args));
  }
  move(...args: Parameters<Filesystem["move"]>) {
    return this.#call("move", args, () => this.files.move(...args));
  }
  openRead(...args: Parameters<Filesystem["openRead"]>) {
    return this.#call("openRead", args, () => this.files.openRead(...args));
  }
  openWrite(...args: Parameters<Filesystem["openWrite"]>) {
    return this.#call("openWrite", args, () => this.files.openWrite(...args));
  }
  openText(...args: Parameters<Filesystem["openText"]>) {
    return this.#call("openText", args, () => this.files.openText(...args));
  }
  usage(...args: Parameters<Filesystem["usage"]>) {
    return this.#call("usage", args, () => this.files.usage(...args));
  }

  async #call<T>(
    operation: FilesystemOperation,
    args: readonly unknown[],
    body: () => Promise<T>,
  ): Promise<T> {
    this.#calls.push(Object.freeze({ operation, args: Object.freeze([...args]) }));
    const failures = this.#failures.get(operation);
    if (failures !== undefined && failures.length > 0) throw failures.shift();
    return await body();
  }
}
