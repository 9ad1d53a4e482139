import { checkStoreOptions } from "../engine/check-options.js";
import { EngineStore } from "../store/engine-store.js";
import type { Store, StoreOptions } from "../store/store.js";
import { PostgresBlobs } from "./postgres-blobs.js";
import type { PostgresPool } from "./postgres-connection.js";
import { PostgresHeads } from "./postgres-heads.js";
import { tablesWith } from "./postgres-schema.js";
import { PostgresServer } from "./postgres-server.js";

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
  checkStoreOptions("postgresStore", options, [
    ...["schema", "tablePrefix", "maxConnections", "preparedStatements"],
  ]);
  const { schema = "public", tablePrefix = "wink_" } = options;
  const tables = tablesWith(schema, tablePrefix);
  const opened = new PostgresServer("postgresStore", server, options);
  const blobs = new PostgresBlobs(opened.connection, tables);
  const heads = new PostgresHeads(opened.connection, tables, () => opened.close());
  return new EngineStore({ heads, blobs, commitsBlobs: true }, options);
}
