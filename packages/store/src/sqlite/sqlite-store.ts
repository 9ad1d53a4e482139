import { checkStoreOptions } from "../engine/check-options.js";
import { StoreError } from "../engine/store-error.js";
import { EngineStore } from "../store/engine-store.js";
import type { Store, StoreOptions } from "../store/store.js";
import { SqliteBlobs } from "./sqlite-blobs.js";
import type { SqliteDatabase } from "./sqlite-database.js";
import { SqliteFile } from "./sqlite-file.js";
import { SqliteHeads } from "./sqlite-heads.js";
import { migrate, tablesWith } from "./sqlite-schema.js";

export interface SqliteStoreOptions extends StoreOptions {
  /** The names of all tables begin with it. @default "wink_" */
  readonly tablePrefix?: string | undefined;
  /**
   * `"full"`: a commit survives a power failure. `"normal"`: it survives the end of the process, and a power failure may
   * lose the last commits, never parts of them.
   *
   * @default "full"
   */
  readonly synchronous?: "full" | "normal" | undefined;
  /**
   * Whether several processes open the file. Only matters for SQLite before 3.51.3, whose write-ahead log can damage the
   * file when two connections write: `"many"` then uses a rollback journal, and `"one"` locks the file for one process.
   *
   * @default "many"
   */
  readonly processes?: "one" | "many" | undefined;
}

/**
 * A store in a SQLite file, for one machine.
 *
 * @param location the path of the file, which is created if it does not exist, or an open database. An open database
 *   keeps its settings and is not closed.
 */
export function sqliteStore(
  location: string | SqliteDatabase,
  options: SqliteStoreOptions = {},
): Store {
  checkStoreOptions("sqliteStore", options, ["tablePrefix", "synchronous", "processes"]);
  if (typeof location !== "string" && typeof location?.prepare !== "function")
    throw new StoreError("ARGUMENT_INVALID", "sqliteStore", "expected a path or an open database");
  const tables = tablesWith(options.tablePrefix ?? "wink_");
  const file = new SqliteFile(location, options, (connection) => migrate(connection, tables));
  const open = () => file.open();
  const blobs = new SqliteBlobs(open, tables);
  const heads = new SqliteHeads(open, tables, blobs, () => file.close());
  return new EngineStore({ heads, blobs, commitsBlobs: true }, options);
}
