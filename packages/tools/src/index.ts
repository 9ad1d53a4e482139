export type { Handler } from "./answers/tool-handler.js";
export type { EditFileValue } from "./files/apply-edits.js";
export {
  CopyPath,
  DeletePath,
  EditFile,
  MountFiles,
  MovePath,
  WriteFile,
} from "./files/file-events.js";
export {
  copyHandler,
  editFileHandler,
  globHandler,
  grepHandler,
  lsHandler,
  moveHandler,
  multiEditHandler,
  readFileHandler,
  rmHandler,
  writeFileHandler,
} from "./files/file-handlers.js";
export type { ListingValue } from "./files/ls.js";
export type { ReadFileValue } from "./files/read-file.js";
export { type ReplayFilesOptions, replayFiles } from "./files/replay-files.js";
export type { RmValue } from "./files/rm.js";
export type { TransferValue } from "./files/transfer.js";
export { VfsToolsSection, type VfsToolsSectionOptions } from "./files/vfs-tools-section.js";
export { type VfsFile, VirtualFileSystem } from "./files/virtual-file-system.js";
export type { WriteFileValue } from "./files/write-file.js";
export { DEFAULT_TOOL_LIMITS, type ToolLimits } from "./limits.js";
export { CreateSnapshot, RestoreSnapshot } from "./snapshots/snapshot-events.js";
