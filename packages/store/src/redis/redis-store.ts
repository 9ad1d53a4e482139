import { checkStoreOptions } from "../engine/check-options.js";
import { StoreError } from "../engine/store-error.js";
import { EngineStore } from "../store/engine-store.js";
import { DEFAULT_TIMEOUT_MS, deadline } from "../store/retry.js";
import type { Store, StoreOptions } from "../store/store.js";
import { RedisBlobs } from "./redis-blobs.js";
import { type RedisClient, RedisConnection } from "./redis-connection.js";
import { RedisHeads } from "./redis-heads.js";
import { RedisKeys } from "./redis-keys.js";

export interface RedisStoreOptions extends StoreOptions {
  /** The names of all keys begin with it. @default "wink" */
  readonly keyPrefix?: string | undefined;
}

const CONNECT_TIMEOUT_MS = 5000;
const MAX_RECONNECT_DELAY_MS = 1000;

/**
 * A store in Redis 6.2 or newer, or Valkey.
 *
 * @param server a URL, or a client of the package `redis`, which is not closed. Make it with `disableOfflineQueue: true`, so
 *   that a command that was not sent is reported immediately.
 */
export function redisStore(server: string | RedisClient, options: RedisStoreOptions = {}): Store {
  checkStoreOptions("redisStore", options, ["keyPrefix"]);
  if (typeof server !== "string" && typeof server?.withTypeMapping !== "function")
    throw new StoreError(
      "ARGUMENT_INVALID",
      "redisStore",
      "expected a URL, or a client of the package redis",
    );
  const keys = new RedisKeys(options.keyPrefix ?? "wink");
  let client: Promise<RedisClient> | undefined;
  const connect = () => {
    client ??= (typeof server === "string" ? openClient(server) : useClient(server)).catch(
      (error) => {
        client = undefined;
        throw error;
      },
    );
    return client;
  };
  async function close(): Promise<void> {
    const opened = client;
    if (typeof server !== "string") return;
    client = undefined;
    (await opened?.catch(() => undefined))?.destroy();
  }
  const { timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const connection = new RedisConnection(connect, timeoutMs, () => void close());
  const blobs = new RedisBlobs(connection, keys);
  const heads = new RedisHeads(connection, keys, close);
  return new EngineStore({ heads, blobs, commitsBlobs: true }, options);
}

async function useClient(client: RedisClient): Promise<RedisClient> {
  if (!client.isOpen) await client.connect();
  return client;
}

async function openClient(url: string): Promise<RedisClient> {
  const { createClient } = await import("redis").catch((error) => {
    throw new StoreError("ARGUMENT_INVALID", "store 'redis'", "install the package redis", {
      cause: error,
    });
  });
  let isConnected = false;
  const client = createOrRefuse(() =>
    createClient({
      url,
      // A command that cannot be sent fails immediately. Sent later, it could change something after its caller timed out.
      disableOfflineQueue: true,
      socket: {
        connectTimeout: CONNECT_TIMEOUT_MS,
        // The first connection fails immediately, and the store tries again.
        reconnectStrategy: (retries) =>
          isConnected && Math.min(2 ** retries * 10, MAX_RECONNECT_DELAY_MS),
      },
    }),
  );
  // The errors of a lost connection arrive with the commands, too.
  client.on("error", () => {});
  try {
    // The client's own limit covers only opening the socket. A server may accept it and then not answer.
    await deadline({ timeoutMs: CONNECT_TIMEOUT_MS }).race(client.connect());
  } catch (error) {
    if (client.isOpen) client.destroy();
    throw error;
  }
  isConnected = true;
  // The types of the package `redis` are stricter than this store needs.
  return client as unknown as RedisClient;
}

function createOrRefuse<T>(create: () => T): T {
  try {
    return create();
  } catch {
    // The cause would contain the URL.
    throw new StoreError(
      "ARGUMENT_INVALID",
      "store 'redis'",
      "the URL is not valid. Use redis://HOST:PORT/NUMBER",
    );
  }
}
