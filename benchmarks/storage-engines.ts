import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "@wink/store";
import { postgresStore } from "@wink/store/postgres";
import { redisStore } from "@wink/store/redis";
import { sqliteStore } from "@wink/store/sqlite";
import Database from "libsql";
import pg from "pg";
import { createClient } from "redis";

export interface Blob {
  readonly id: string;
  readonly bytes: Buffer;
}

interface Row {
  readonly id: string;
  readonly data: Buffer;
}

/** The client of a database, with the same bytes, records and head as the store, in the same batches. */
interface RawClient {
  reset(): Promise<void>;
  /** All contents in batches, and a head. */
  writeAll(blobs: readonly Blob[]): Promise<void>;
  /** Passes each content to `found`. */
  readAll(ids: readonly string[], found: (id: string, bytes: Uint8Array) => void): Promise<void>;
  /** One content, three events and the head, in one step. */
  call(blob: Blob, events: readonly Buffer[]): Promise<void>;
}

export interface StorageEngine extends AsyncDisposable {
  readonly name: string;
  readonly store: Store;
  readonly raw: RawClient;
}

const BATCH = 1_000;
const HEAD = Buffer.alloc(2_000, "h");

const STARTS = { SQLite: startSqlite, PostgreSQL: startPostgres, Redis: startRedis };

/**
 * The engines that are installed here. SQLite always is.
 *
 * @param only the name of one engine, for a profile of it
 */
export async function startEngines(only?: string): Promise<readonly StorageEngine[]> {
  const engines: StorageEngine[] = [];
  for (const [name, start] of Object.entries(STARTS))
    try {
      if (only === undefined || only === name) engines.push(await start());
    } catch (error) {
      console.log(`skipped: ${error instanceof Error ? error.message : error}`);
    }
  return engines;
}

async function startSqlite(): Promise<StorageEngine> {
  const folder = await mkdtemp(join(tmpdir(), "wink-storage-bench-"));
  const options = { synchronous: "normal", processes: "one" } as const;
  const store = sqliteStore(join(folder, "store.db"), options);
  const database = new Database(join(folder, "raw.db"));
  database.exec("PRAGMA page_size=8192; PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL");
  database.exec("CREATE TABLE blob(n INTEGER PRIMARY KEY, id TEXT UNIQUE, data BLOB)");
  database.exec("CREATE TABLE event(n INTEGER PRIMARY KEY, data BLOB)");
  database.exec("CREATE TABLE head(id TEXT PRIMARY KEY, data BLOB)");
  const insert = database.prepare("INSERT OR IGNORE INTO blob(id, data) VALUES (?, ?)");
  const head = database.prepare("INSERT OR REPLACE INTO head VALUES (?, ?)");
  const event = database.prepare("INSERT INTO event(data) VALUES (?)");
  const one = database.prepare("SELECT data FROM blob WHERE id = ?");
  return {
    name: "SQLite",
    store,
    raw: {
      async reset() {
        database.exec("DELETE FROM blob; DELETE FROM event; DELETE FROM head");
      },
      async writeAll(blobs) {
        database.exec("BEGIN IMMEDIATE");
        for (const { id, bytes } of blobs) insert.run([id, bytes]);
        head.run(["files", HEAD]);
        database.exec("COMMIT");
      },
      async readAll(ids, found) {
        for (const id of ids) found(id, (one.get([id]) as { data: Buffer }).data);
      },
      async call({ id, bytes }, events) {
        database.exec("BEGIN IMMEDIATE");
        insert.run([id, bytes]);
        for (const each of events) event.run([each]);
        head.run(["files", HEAD]);
        database.exec("COMMIT");
      },
    },
    async [Symbol.asyncDispose]() {
      await store.close();
      database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function startPostgres(): Promise<StorageEngine> {
  const { PostgresServer } = await support("postgres-server");
  const server = await PostgresServer.start();
  const store = postgresStore(server.url);
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query("CREATE TABLE raw_blob(id text PRIMARY KEY, data bytea)");
  await client.query("ALTER TABLE raw_blob ALTER data SET STORAGE EXTERNAL");
  await client.query("CREATE TABLE raw_event(n bigserial PRIMARY KEY, data bytea)");
  await client.query("CREATE TABLE raw_head(id text PRIMARY KEY, data bytea)");
  const insert =
    "INSERT INTO raw_blob SELECT * FROM unnest($1::text[], $2::bytea[]) ON CONFLICT DO NOTHING";
  const setHead = "INSERT INTO raw_head VALUES ('f', $1) ON CONFLICT (id) DO UPDATE SET data = $1";
  const call = `WITH b AS (INSERT INTO raw_blob VALUES ($2, $3) ON CONFLICT DO NOTHING),
    e AS (INSERT INTO raw_event(data) SELECT unnest($4::bytea[])) ${setHead}`;
  return {
    name: "PostgreSQL",
    store,
    raw: {
      async reset() {
        await client.query("TRUNCATE raw_blob, raw_event, raw_head");
      },
      async writeAll(blobs) {
        await client.query("BEGIN");
        for (const batch of batches(blobs))
          await client.query(insert, [batch.map(({ id }) => id), batch.map(({ bytes }) => bytes)]);
        await client.query(setHead, [HEAD]);
        await client.query("COMMIT");
      },
      async readAll(ids, found) {
        for (const batch of batches(ids)) {
          const query = "SELECT id, data FROM raw_blob WHERE id = ANY($1)";
          const { rows } = await client.query<Row>(query, [batch]);
          for (const { id, data } of rows) found(id, data);
        }
      },
      async call({ id, bytes }, events) {
        await client.query({ name: "call", text: call, values: [HEAD, id, bytes, events] });
      },
    },
    async [Symbol.asyncDispose]() {
      await store.close();
      await client.end();
      await server[Symbol.asyncDispose]();
    },
  };
}

async function startRedis(): Promise<StorageEngine> {
  const { RedisServer } = await support("redis-server");
  const server = await RedisServer.start(["--appendonly", "yes", "--appendfsync", "everysec"]);
  const store = redisStore(server.url);
  const client = createClient({ url: server.url });
  await client.connect();
  return {
    name: "Redis",
    store,
    raw: {
      async reset() {
        await client.del(["raw:blob", "raw:event", "raw:head"]);
      },
      async writeAll(blobs) {
        for (const batch of batches(blobs))
          await client.hSet(
            "raw:blob",
            batch.flatMap(({ id, bytes }) => [Buffer.from(id), bytes]) as never,
          );
        await client.set("raw:head", HEAD);
      },
      async readAll(ids, found) {
        const typed = client.withTypeMapping({ 36: Buffer } as never);
        for (const batch of batches(ids)) {
          const values = (await typed.hmGet("raw:blob", [...batch])) as unknown as Buffer[];
          for (const [index, data] of values.entries()) found(batch[index] as string, data);
        }
      },
      async call({ id, bytes }, events) {
        await client
          .multi()
          .hSet("raw:blob", id, bytes)
          .rPush("raw:event", [...events] as never)
          .set("raw:head", HEAD)
          .exec();
      },
    },
    async [Symbol.asyncDispose]() {
      await store.close();
      client.destroy();
      await server[Symbol.asyncDispose]();
    },
  };
}

interface Server extends AsyncDisposable {
  readonly url: string;
}
interface Support {
  readonly PostgresServer: { start(settings?: readonly string[]): Promise<Server> };
  readonly RedisServer: { start(settings?: readonly string[]): Promise<Server> };
}

/** The servers that the tests of the store start, as they are compiled. */
async function support(name: string): Promise<Support> {
  const file = `../../packages/store/dist/servers/${name}.test.support.js`;
  return await import(new URL(file, import.meta.url).href);
}

/** Both sides read and write in these batches. */
export function* batches<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += BATCH) yield all.slice(at, at + BATCH);
}
