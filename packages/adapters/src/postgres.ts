export {
  PostgresRequestQueue,
  type PostgresRequestQueueOptions,
} from "./queues/postgres-request-queue.js";
