import { type OpenOptions, type Store, StoreError, type SweepReport } from "@wink/store";
import { DriverFilesystem, type FilesystemOptions } from "../backend/driver-filesystem.js";
import { invalidArgument } from "../protocol/filesystem-error.js";
import { checkOptionNames } from "../protocol/filesystem-options.js";
import { StoredFiles } from "./stored-files.js";
import { rememberFiles } from "./stored-files-of.js";

export interface StoredFilesystemOptions
  extends FilesystemOptions,
    Pick<OpenOptions, "create" | "durability" | "leaseMs" | "minVersion" | "signal" | "takeOver"> {
  /**
   * The id of the head whose files a new head starts with. Both share their contents. Ignored if the head exists.
   * @default a new head is empty
   */
  readonly from?: string | undefined;
  /** How many bytes of contents stay in memory. @default 64 MiB */
  readonly cacheBytes?: number | undefined;
  /** Returns the current time in milliseconds since 1970. @default Date.now */
  readonly clock?: (() => number) | undefined;
}

const OPTIONS = [
  ...(["create", "durability", "leaseMs", "minVersion", "signal", "takeOver"] as const),
  ...(["from", "cacheBytes", "clock"] as const),
] satisfies readonly (keyof StoredFilesystemOptions)[];

const CACHE_BYTES = 64 * 1024 * 1024;

/**
 * A filesystem in a store. Metadata of files is in memory; contents are read when they are needed.
 *
 * Each call that changes files, and each transaction, is one commit: before it other processes see none of its changes, and
 * after it they see everything. One process at a time can change the files; others open them with `readOnly`. An error
 * of the store is an `EIO` whose `cause` is the `StoreError`.
 */
export class StoredFilesystem extends DriverFilesystem {
  readonly #files: StoredFiles;

  private constructor(files: StoredFiles, options: FilesystemOptions) {
    if (!(files instanceof StoredFiles))
      throw invalidArgument("open", "use StoredFilesystem.open(store, id)");
    super(files.driver, options);
    this.#files = files;
    rememberFiles(this, files);
  }

  /**
   * Opens the files of a head, or creates the head.
   *
   * Rejects with a `StoreError`, such as `LEASE_LOST` while another process has the files open for writing.
   */
  static async open(
    store: Store,
    id: string,
    options: StoredFilesystemOptions = {},
  ): Promise<StoredFilesystem> {
    checkOptionNames(options, OPTIONS);
    if (typeof store?.open !== "function" || typeof store.fork !== "function")
      throw invalidArgument("open", "expected a store, such as sqliteStore(…)");
    const { from, clock = Date.now, cacheBytes = CACHE_BYTES, signal, ...rest } = options;
    const { create, durability, leaseMs, minVersion, takeOver, ...filesystemOptions } = rest;
    if (typeof clock !== "function") throw invalidArgument("open", "clock must be a function");
    if (from !== undefined && (await store.read(id, { signal })) === undefined)
      await store.fork(from, id, { signal });
    const open = { create, durability, leaseMs, minVersion, takeOver, signal };
    const writer = options.readOnly ? undefined : await store.open(id, open);
    try {
      const head = writer ?? (await store.read(id, { signal }));
      if (head === undefined) throw new StoreError("LOST", "head");
      const rootPath = options.root ?? options.mountPoint ?? "/";
      const files = await StoredFiles.open(head, writer, { clock, cacheBytes, rootPath });
      return new StoredFilesystem(files, filesystemOptions);
    } catch (error) {
      await writer?.close();
      throw error;
    }
  }

  /** The version of the last commit. */
  get version(): number {
    return this.#files.head.version;
  }

  /** Deletes stored contents that neither the files nor a snapshot have. Close forks first. */
  sweep(): Promise<SweepReport> {
    return this.#files.sweep();
  }
}
