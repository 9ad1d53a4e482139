export {
  SqliteRequestQueue,
  type SqliteRequestQueueOptions,
} from "./queues/sqlite-request-queue.js";
