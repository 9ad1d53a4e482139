import type { SnapshottingDriver } from "../driver/driver-snapshots.js";
import { memoryDriver } from "../memory/memory-driver.js";
import { memorySnapshots } from "../memory/memory-snapshots.js";
import { MemoryTree } from "../memory/memory-tree.js";
import { seedMemory } from "../memory/seed-memory.js";
import { invalidArgument } from "../protocol/filesystem-error.js";
import { checkOptionNames } from "../protocol/filesystem-options.js";
import { DriverFilesystem, type FilesystemOptions } from "./driver-filesystem.js";

export interface InMemoryFilesystemOptions extends Omit<FilesystemOptions, "root"> {
  /** The initial files: text or bytes by path. @default nothing */
  readonly files?: Readonly<Record<string, string | Uint8Array>> | undefined;
  /** Returns the current time in milliseconds since 1970. @default Date.now */
  readonly clock?: (() => number) | undefined;
}

/** A filesystem in memory. Its files end with the process. */
export class InMemoryFilesystem extends DriverFilesystem {
  constructor(options: InMemoryFilesystemOptions = {}) {
    checkOptionNames(options, ["files", "clock"]);
    const { files = {}, clock = Date.now, ...rest } = options;
    if (typeof clock !== "function") throw invalidArgument("open", "clock must be a function");
    const tree = new MemoryTree(clock());
    const rootPath = rest.mountPoint ?? "/";
    const snapshots = memorySnapshots(tree, { clock, rootPath });
    const driver: SnapshottingDriver = { ...memoryDriver(tree, clock), snapshots };
    super(driver, rest);
    seedMemory(tree, files, { clock, mountPoint: this.mountPoint });
  }
}
