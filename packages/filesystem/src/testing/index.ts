export {
  type ContractGaps,
  type ContractOptions,
  type FilesystemFactory,
  filesystemContract,
} from "./filesystem-contract.js";
export { type HostilePath, hostilePaths } from "./hostile-paths/index.js";
export { type FilesystemOperation, MockFilesystem, type RecordedCall } from "./mock-filesystem.js";
export type { TestRunner } from "./test-runner.js";
