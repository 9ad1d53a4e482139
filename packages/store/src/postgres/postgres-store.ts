import { checkOptions, STORE_OPTIONS } from "../engine/check-options.js";
import { StoreError } from "../engine/store-error.js";
import { EngineStore } from "../store/engine-store.js";
import type { Store, StoreOptions } from "../store/store.js";
import { PostgresBlobs } from "./postgres-blobs.js";
import { PostgresConnection, type PostgresPool } from "./postgres-connection.js";
import { PostgresHeads } from "./postgres-heads.js";
import { tablesWith } from "./postgres-schema.js";

export interface PostgresStoreOptions extends StoreOptions {
  /** Created if it does not exist. @default "public" */
  readonly schema?: string | undefined;
  /** The names of all tables begin with it. @default "wink_" */
  readonly tablePrefix?: string | undefined;
  /** How many connections a store with a URL opens. More calls wait. @default 10 */
  readonly maxConnections?: number | undefined;
  /** Turn it off for a pooler that gives each statement another connection. @default true */
  readonly preparedStatements?: boolean | undefined;
}

/**
 * A store in PostgreSQL 13 or newer.
 *
 * @param server a URL, or a `Pool` of the package `pg`, which is not closed
 */
export function postgresStore(
  server: string | PostgresPool,
  options: PostgresStoreOptions = {},
): Store {
  checkOptions("postgresStore", options, [
    ...STORE_OPTIONS,
    ...["schema", "tablePrefix", "maxConnections", "preparedStatements"],
  ]);
  if (typeof server !== "string" && typeof server?.connect !== "function")
    throw new StoreError(
      "ARGUMENT_INVALID",
      "postgresStore",
      "expected a URL, or a Pool of the package pg",
    );
  const { schema = "public", tablePrefix = "wink_", preparedStatements = true } = options;
  const tables = tablesWith(schema, tablePrefix);
  let pool: Promise<PostgresPool> | undefined;
  const connect = () => {
    pool ??= typeof server === "string" ? openPool(server, options) : Promise.resolve(server);
    return pool;
  };
  async function close(): Promise<void> {
    const opened = pool;
    pool = undefined;
    if (typeof server === "string") await (await opened?.catch(() => undefined))?.end();
  }
  const connection = new PostgresConnection(connect, preparedStatements);
  const blobs = new PostgresBlobs(connection, tables);
  const heads = new PostgresHeads(connection, tables, close);
  return new EngineStore({ heads, blobs, commitsBlobs: true }, options);
}

async function openPool(
  url: string,
  { maxConnections = 10, timeoutMs = 30_000 }: PostgresStoreOptions,
): Promise<PostgresPool> {
  const { default: pg } = await import("pg").catch((error) => {
    throw new StoreError("ARGUMENT_INVALID", "store 'postgres'", "install the package pg", {
      cause: error,
    });
  });
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: Math.min(timeoutMs, 10_000),
    statement_timeout: timeoutMs,
  });
  // A connection that is lost while it is idle is replaced by the pool.
  pool.on("error", () => {});
  return pool;
}
