import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createStore, MemoryStorage, type Store } from "@wink/store";
import { postgresStore } from "@wink/store/postgres";
import { redisStore } from "@wink/store/redis";
import { s3Store } from "@wink/store/s3";
import { sqliteStore } from "@wink/store/sqlite";
import {
  PostgresServer,
  postgresProgram,
} from "../../../store/src/servers/postgres-server.test.support.js";
import { RedisServer, redisProgram } from "../../../store/src/servers/redis-server.test.support.js";
import { isAvailable } from "../../../store/src/servers/required.test.support.js";
import { S3Server } from "../../../store/src/servers/s3-server.test.support.js";

/** A store with the file or the separate server that it needs. */
export interface RunningEngine extends AsyncDisposable {
  readonly store: Store;
}

export interface Engine {
  readonly name: string;
  start(): Promise<RunningEngine>;
}

const memory: Engine = {
  name: "a key-value store",
  start: async () => running(createStore(new MemoryStorage())),
};

export const sqlite: Engine = {
  name: "SQLite",
  async start() {
    const folder = await mkdtemp(path.join(tmpdir(), "wink-stored-"));
    const file = path.join(folder, "files.db");
    const store = sqliteStore(file, { synchronous: "normal", processes: "one" });
    return running(store, () => rm(folder, { recursive: true, force: true }));
  },
};

const s3: Engine = {
  name: "S3",
  async start() {
    const server = await S3Server.start();
    const credentials = { accessKeyId: "AK", secretAccessKey: "SK" };
    const store = s3Store({ bucket: "runs", endpoint: server.url, credentials });
    return running(store, () => server[Symbol.asyncDispose]());
  },
};

const postgres: Engine = {
  name: "PostgreSQL",
  async start() {
    const server = await PostgresServer.start(["fsync=off"]);
    return running(postgresStore(server.url), () => server[Symbol.asyncDispose]());
  },
};

const redis: Engine = {
  name: "Redis",
  async start() {
    const server = await RedisServer.start();
    return running(redisStore(server.url), () => server[Symbol.asyncDispose]());
  },
};

const rados: Engine = {
  name: "radosgw",
  async start() {
    const { RadosGateway } = await import(
      "../../../store/src/servers/rados-gateway.test.support.js"
    );
    const server = await RadosGateway.start();
    const { url: endpoint, credentials } = server;
    const store = s3Store({ bucket: "runs", endpoint, credentials });
    return running(store, () => server[Symbol.asyncDispose]());
  },
};

/**
 * Every engine whose server is installed. A missing one is printed, or fails the run if all are required. WINK_RADOS=1
 * chooses the one that takes long to start.
 */
export const engines: readonly Engine[] =
  process.env["WINK_RADOS"] === "1"
    ? [rados]
    : [
        memory,
        sqlite,
        s3,
        ...(isAvailable("PostgreSQL", postgresProgram) ? [postgres] : []),
        ...(isAvailable("Redis", redisProgram) ? [redis] : []),
      ];

function running(store: Store, stop: () => Promise<void> = async () => {}): RunningEngine {
  return {
    store,
    async [Symbol.asyncDispose]() {
      await store.close();
      await stop();
    },
  };
}
