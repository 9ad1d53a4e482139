export { ManualClock } from "./testing/manual-clock.js";
export {
  type QueueContractOptions,
  type QueueFactory,
  queueContract,
} from "./testing/queue-contract.js";
