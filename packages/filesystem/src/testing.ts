export {
  type ContractGaps,
  type ContractOptions,
  type FilesystemFactory,
  filesystemContract,
} from "./testing/filesystem-contract.js";
export { type HostilePath, hostilePaths } from "./testing/hostile-paths/index.js";
export { MockFilesystem } from "./testing/mock-filesystem.js";
export type { TestRunner } from "./testing/test-runner.js";
