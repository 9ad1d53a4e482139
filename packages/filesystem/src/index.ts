export { createFilesystem } from "./backend/create-filesystem.js";
export { DriverFilesystem, type FilesystemOptions } from "./backend/driver-filesystem.js";
export {
  InMemoryFilesystem,
  type InMemoryFilesystemOptions,
} from "./backend/in-memory-filesystem.js";
export { FileContent } from "./content/file-content.js";
export type {
  DriverAttributes,
  DriverEntry,
  DriverStat,
  DriverWriteOptions,
  FilesystemDriver,
  NewRevision,
} from "./driver/driver.js";
export type {
  DriverAccelerators,
  DriverReader,
  DriverWriter,
  WalkEntry,
  WalkOptions,
} from "./driver/driver-accelerators.js";
export { type OverlayFilesystem, type OverlayOptions, overlay } from "./overlay/overlay.js";
export { mergeFile } from "./patch/merge-file.js";
export { diffText } from "./patch/unified-patch-hunks.js";
export * as paths from "./path/paths.js";
export type { VirtualPath } from "./path/virtual-path.js";
export { CodedError } from "./protocol/coded-error.js";
export type * from "./protocol/filesystem.js";
export {
  FilesystemError,
  isFilesystemError,
} from "./protocol/filesystem-error.js";
export { DEFAULT_LIMITS, type FilesystemLimits, type FilesystemQuotas } from "./protocol/limits.js";
export type { MaybePromise } from "./protocol/maybe-promise.js";
export { globMatcher } from "./search/glob/glob-matcher.js";
export type { ChangeSet, FileChange, TreeChange } from "./snapshots/change-set.js";
export type * from "./snapshots/filesystem-snapshot.js";
export type { PathChange } from "./snapshots/path-change.js";
export {
  isSnapshotError,
  SnapshotError,
} from "./snapshots/snapshot-error.js";
export type { TreeEntry } from "./snapshots/tree-view.js";
export { StoredFilesystem, type StoredFilesystemOptions } from "./stored/stored-filesystem.js";
export { readOnlyView } from "./wrap/read-only-view.js";
export {
  type AroundCall,
  type FilesystemCall,
  isSnapshotable,
  wrapFilesystem,
} from "./wrap/wrap-filesystem.js";
