import { checkChoice } from "../engine/check-options.js";
import { openDatabase, SqliteConnection, type SqliteDatabase } from "./sqlite-database.js";

export interface SqliteFileOptions {
  /** @default "full" */
  readonly synchronous?: "full" | "normal" | undefined;
  /** @default "many" */
  readonly processes?: "one" | "many" | undefined;
}

/** How long SQLite itself waits for a lock; it blocks the process, so the caller does the rest of the waiting. */
const BUSY_TIMEOUT_MS = 100;

/** A database file that is opened when it is first used. An open database keeps its settings and is not closed. */
export class SqliteFile {
  readonly #location: string | SqliteDatabase;
  readonly #options: SqliteFileOptions;
  readonly #prepare: (connection: SqliteConnection) => void;
  #opened: Promise<SqliteConnection> | undefined;
  #isExclusive = false;

  /** @param prepare creates the tables */
  constructor(
    location: string | SqliteDatabase,
    options: SqliteFileOptions,
    prepare: (connection: SqliteConnection) => void,
  ) {
    checkChoice("synchronous", options.synchronous, ["full", "normal"]);
    checkChoice("processes", options.processes, ["one", "many"]);
    this.#location = location;
    this.#options = options;
    this.#prepare = prepare;
  }

  open(): Promise<SqliteConnection> {
    this.#opened ??= this.#connect().catch((error) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }

  async close(): Promise<void> {
    const connection = await this.#opened?.catch(() => undefined);
    this.#opened = undefined;
    if (typeof this.#location !== "string" || connection === undefined) return;
    // libsql ends the connection only when its statements are collected as garbage, so the lock is released here.
    if (this.#isExclusive)
      connection.exec(
        "PRAGMA journal_mode = DELETE; PRAGMA locking_mode = NORMAL; SELECT 1 FROM sqlite_master",
      );
    connection.close();
  }

  async #connect(): Promise<SqliteConnection> {
    const location = this.#location;
    const isPath = typeof location === "string";
    const connection = new SqliteConnection(isPath ? await openDatabase(location) : location);
    this.#isExclusive = isPath && configure(connection, this.#options);
    this.#prepare(connection);
    return connection;
  }
}

/** The first version whose write-ahead log is safe with several connections. */
const SAFE_WAL = [3, 51, 3];

/** Returns whether the file is locked for this connection. */
function configure(
  connection: SqliteConnection,
  { synchronous = "full", processes = "many" }: SqliteFileOptions,
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
