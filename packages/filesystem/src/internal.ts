// For WINK's own packages, which check arguments, cancel calls and queue transactions with one implementation. It may change in any release.
export {
  closestName,
  describeKind,
  findOptionProblem,
  findUnknownOption,
} from "@wink/store/internal";
export { followLinks, followParentLinks } from "./node-fs/follow-links.js";
export { NodeError, toNodeError } from "./node-fs/node-error.js";
export { abortable, onAbort } from "./operations/abortable.js";
export { TransactionQueue, type TransactionTurn } from "./operations/transaction-queue.js";
export type { RecordSource } from "./stored/file-commits.js";
export type { StoredFiles } from "./stored/stored-files.js";
export { storedFilesOf } from "./stored/stored-files-of.js";
export { StoredStates } from "./stored/stored-states.js";
