export type { RedisClient } from "./redis/redis-connection.js";
export { type RedisStoreOptions, redisStore } from "./redis/redis-store.js";
