export {
  type BullmqClient,
  BullmqRequestQueue,
  type BullmqRequestQueueOptions,
} from "./queues/bullmq-request-queue.js";
export { type RequestProcessorOptions, requestProcessor } from "./queues/request-processor.js";
