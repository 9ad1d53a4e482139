export { createFilesystem } from "./create-filesystem.js";
export type {
  DriverEntry,
  DriverReader,
  DriverStat,
  DriverWriteOptions,
  DriverWriter,
  FilesystemDriver,
  Needle,
  NewRevision,
  WalkEntry,
  WalkOptions,
} from "./driver.js";
export { DriverFilesystem, type FilesystemOptions } from "./driver-filesystem.js";
export { FileContent } from "./file-content.js";
export type * from "./filesystem.js";
export {
  FilesystemError,
  type FilesystemErrorCode,
  type FilesystemErrorOptions,
  isFilesystemError,
} from "./filesystem-error.js";
export { InMemoryFilesystem, type InMemoryFilesystemOptions } from "./in-memory-filesystem.js";
export { DEFAULT_LIMITS, type FilesystemLimits, type FilesystemQuotas } from "./limits.js";
export type { MaybePromise } from "./maybe-promise.js";
export { readOnlyView } from "./read-only-view.js";
export type { ChangeSet, FileChange } from "./snapshots/change-set.js";
export type * from "./snapshots/filesystem-snapshot.js";
export { mergeText } from "./snapshots/merge-text.js";
export {
  isSnapshotError,
  SnapshotError,
  type SnapshotErrorCode,
  type SnapshotErrorOptions,
} from "./snapshots/snapshot-error.js";
export type { VirtualPath } from "./virtual-path.js";
