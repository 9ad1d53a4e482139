export type {
  DriverEntry,
  DriverReader,
  DriverStat,
  DriverWriteOptions,
  DriverWriter,
  FilesystemDriver,
  MaybePromise,
  WalkEntry,
} from "./driver.js";
export { FileContent } from "./file-content.js";
export type * from "./filesystem.js";
export {
  FilesystemError,
  type FilesystemErrorCode,
  type FilesystemErrorOptions,
  isFilesystemError,
} from "./filesystem-error.js";
export { DEFAULT_LIMITS, type FilesystemLimits, type FilesystemQuotas } from "./limits.js";
export type { VirtualPath } from "./virtual-path.js";
