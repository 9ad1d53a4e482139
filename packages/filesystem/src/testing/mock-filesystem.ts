import {
  InMemoryFilesystem,
  type InMemoryFilesystemOptions,
} from "../backend/in-memory-filesystem.js";
import { FilesystemError } from "../protocol/filesystem-error.js";
import type { SnapshotableFilesystem } from "../snapshots/filesystem-snapshot.js";
import { type FilesystemCall, SnapshotableWrapper } from "../wrap/wrap-filesystem.js";

/** For tests of code that uses a filesystem: a real one in memory that records its calls and fails on request. */
export interface MockFilesystem extends SnapshotableFilesystem {
  /** The underlying filesystem. Its calls are not recorded. */
  readonly files: InMemoryFilesystem;
  /** Every call so far, oldest first. */
  readonly calls: readonly Pick<FilesystemCall, "operation" | "args">[];
  /** Makes the next call of `operation` fail. Call it twice to make the next two fail. @default an `EIO` */
  failNext(operation: FilesystemCall["operation"], error?: unknown): void;
  /** Clears the recorded calls and the pending failures. */
  reset(): void;
}

export const MockFilesystem: new (options?: InMemoryFilesystemOptions) => MockFilesystem =
  class extends SnapshotableWrapper {
    readonly files: InMemoryFilesystem;
    #calls: MockFilesystem["calls"] = [];
    #failures: { readonly operation: FilesystemCall["operation"]; readonly error: unknown }[] = [];

    constructor(options: InMemoryFilesystemOptions = {}) {
      const files = new InMemoryFilesystem(options);
      super(files, async ({ operation, args }, run) => {
        this.#calls = [
          ...this.#calls,
          Object.freeze({ operation, args: Object.freeze([...args]) }),
        ];
        const failing = this.#failures.findIndex((each) => each.operation === operation);
        if (failing >= 0) throw this.#failures.splice(failing, 1)[0]?.error;
        return await run();
      });
      this.files = files;
    }

    get calls() {
      return this.#calls;
    }

    failNext(
      operation: FilesystemCall["operation"],
      error: unknown = new FilesystemError("EIO", { operation, path: "." }),
    ): void {
      this.#failures.push({ operation, error });
    }

    reset(): void {
      this.#calls = [];
      this.#failures = [];
    }
  };
