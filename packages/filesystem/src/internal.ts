// For WINK's own packages, which check arguments and queue transactions with one implementation. It may change in any release.
export {
  TransactionQueue,
  type TransactionTurn,
  type TransactSettings,
} from "./operations/transaction-queue.js";
export { closestName, describeKind, findOptionProblem } from "./protocol/option-problem.js";
