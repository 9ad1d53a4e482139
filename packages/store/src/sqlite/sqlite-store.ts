import { checkOptions, STORE_OPTIONS } from "../engine/check-options.js";
import { StoreError } from "../engine/store-error.js";
import { EngineStore } from "../store/engine-store.js";
import type { Store, StoreOptions } from "../store/store.js";
import { SqliteBlobs } from "./sqlite-blobs.js";
import { openDatabase, SqliteConnection, type SqliteDatabase } from "./sqlite-database.js";
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

/** How long SQLite itself waits for a lock; it blocks the process, so the store does the rest of the waiting. */
const BUSY_TIMEOUT_MS = 100;

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
  checkOptions("sqliteStore", options, [
    ...STORE_OPTIONS,
    ...["tablePrefix", "synchronous", "processes"],
  ]);
  if (typeof location !== "string" && typeof location?.prepare !== "function")
    throw new StoreError("ARGUMENT_INVALID", "sqliteStore", "expected a path or an open database");
  const tables = tablesWith(options.tablePrefix ?? "wink_");
  let opened: Promise<SqliteConnection> | undefined;
  let isExclusive = false;
  const open = () => {
    opened ??= connect().catch((error) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  async function connect(): Promise<SqliteConnection> {
    const isPath = typeof location === "string";
    const connection = new SqliteConnection(isPath ? await openDatabase(location) : location);
    isExclusive = isPath && configure(connection, options);
    migrate(connection, tables);
    return connection;
  }
  async function close(): Promise<void> {
    const connection = await opened?.catch(() => undefined);
    opened = undefined;
    if (typeof location !== "string" || connection === undefined) return;
    // libsql ends the connection only when its statements are collected as garbage, so the lock is released here.
    if (isExclusive)
      connection.exec(
        "PRAGMA journal_mode = DELETE; PRAGMA locking_mode = NORMAL; SELECT 1 FROM sqlite_master",
      );
    connection.close();
  }
  const blobs = new SqliteBlobs(open, tables);
  const heads = new SqliteHeads(open, tables, blobs, close);
  return new EngineStore({ heads, blobs, commitsBlobs: true }, options);
}

/** The first version whose write-ahead log is safe with several connections. */
const SAFE_WAL = [3, 51, 3];

/** Returns whether the file is locked for this connection. */
function configure(
  connection: SqliteConnection,
  { synchronous = "full", processes = "many" }: SqliteStoreOptions,
): boolean {
  const row = connection.get("SELECT sqlite_version() AS version");
  const isSafe = isAtLeast(String(row?.["version"]), SAFE_WAL);
  connection.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  connection.exec("PRAGMA page_size = 8192");
  const isExclusive = !isSafe && processes === "one";
  if (isExclusive) connection.exec("PRAGMA locking_mode = EXCLUSIVE");
  connection.exec(`PRAGMA journal_mode = ${isSafe || processes === "one" ? "WAL" : "TRUNCATE"}`);
  connection.exec(`PRAGMA synchronous = ${synchronous}`);
  return isExclusive;
}

export function isAtLeast(version: string, least: readonly number[]): boolean {
  const parts = version.split(".").map(Number);
  for (const [index, wanted] of least.entries()) {
    const part = parts[index] ?? 0;
    if (part !== wanted) return part > wanted;
  }
  return true;
}
