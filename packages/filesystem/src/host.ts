export { TimeSlices } from "./content/time-slices.js";
export type { Containment } from "./host/containment/containment.js";
export { DirectoryStack } from "./host/containment/directory-stack.js";
export type { HostRoot } from "./host/containment/host-root.js";
export type { OpenHostRootOptions } from "./host/containment/open-host-root.js";
export { openHostRoot } from "./host/containment/open-host-root.js";
export type { PinnedDirectory } from "./host/containment/pinned-directory.js";
export {
  makePrivateDirectory,
  type PrivateDirectory,
} from "./host/containment/private-directory.js";
export { removeHostTree, removeHostTreeNow } from "./host/containment/remove-tree.js";
export type { HostFilesystemOptions } from "./host/driver/host-options.js";
export { HostFilesystem } from "./host/open/host-filesystem.js";
export { openHostDriver } from "./host/open/open-host-driver.js";
export type { StagedAttributes, StagedFiles } from "./host/open/stage-files.js";
export { AppendFile } from "./host/process/append-file.js";
export { errorCode, fromNodeError, tolerating } from "./host/process/from-node-error.js";
export { findProcess, processIdentity } from "./host/process/process-identity.js";
export { ProcessLock } from "./host/process/process-lock.js";
export { saveFile } from "./host/process/save-file.js";
export { isAbandoned, temporaryName } from "./host/process/temporary-name.js";
export { type StateChange, TreeStore } from "./host/snapshots/tree-store.js";
