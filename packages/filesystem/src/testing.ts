export type { TestRunner } from "@wink/store/testing";
export {
  type ContractGaps,
  type ContractOptions,
  type FilesystemFactory,
  filesystemContract,
} from "./testing/filesystem-contract.js";
export { type HostilePath, hostilePaths } from "./testing/hostile-paths/index.js";
export { MockFilesystem } from "./testing/mock-filesystem.js";
