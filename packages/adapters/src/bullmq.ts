export {
  BullmqRequestQueue,
  type BullmqRequestQueueOptions,
} from "./queues/bullmq-request-queue.js";
export type { BullmqClient } from "./queues/bullmq-server.js";
export { type RequestProcessorOptions, requestProcessor } from "./queues/request-processor.js";
