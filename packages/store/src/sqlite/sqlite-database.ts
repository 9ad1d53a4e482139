import { StoreError } from "../engine/store-error.js";

/** The part of a SQLite client that is used: `node:sqlite`, `libsql`, `better-sqlite3` and others have it. */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): SqliteStatement;
  close(): unknown;
}

export interface SqliteStatement {
  run(...values: never[]): unknown;
  get(...values: never[]): unknown;
  all(...values: never[]): unknown;
}

export type SqliteValue = string | number | Uint8Array | null;
export type SqliteRow = Readonly<Record<string, unknown>>;

const SUBJECT = "store 'sqlite'";

/** A module that opens databases. */
interface SqliteModule {
  new (path: string): SqliteDatabase;
}

/** Opens a file with `node:sqlite`, or with the package `libsql` where Node does not have it. */
export async function openDatabase(path: string): Promise<SqliteDatabase> {
  const builtin = globalThis.process?.getBuiltinModule?.("node:sqlite") as
    | { readonly DatabaseSync: SqliteModule }
    | undefined;
  const Database = builtin ? builtin.DatabaseSync : await importLibsql();
  try {
    return new Database(path);
  } catch (cause) {
    throw new StoreError(
      "ARGUMENT_INVALID",
      SUBJECT,
      "the file cannot be opened. Check that its directory exists and that you may write there",
      { cause },
    );
  }
}

async function importLibsql(): Promise<SqliteModule> {
  try {
    // The package has its own types, which need not be installed.
    const { default: Database } = (await import("libsql" as string)) as { default: SqliteModule };
    return Database;
  } catch (error) {
    throw new StoreError(
      "UNREACHABLE",
      SUBJECT,
      "this Node has no node:sqlite. Install the package libsql, or use Node 22.13 or newer",
      { cause: error },
    );
  }
}

/** Runs statements with the differences of the clients removed. */
export class SqliteConnection {
  readonly #database: SqliteDatabase;
  readonly #statements = new Map<string, SqliteStatement>();
  readonly #takesArray: boolean;

  constructor(database: SqliteDatabase) {
    this.#database = database;
    // libsql ends the process when a single buffer is given as the only value, so it gets all values in one array.
    this.#takesArray = database.constructor.name !== "DatabaseSync";
  }

  exec(sql: string): void {
    this.#call(() => this.#database.exec(sql));
  }

  /** Returns how many rows were changed. */
  run(sql: string, ...values: readonly SqliteValue[]): number {
    const result = this.#call(() => this.#prepare(sql).run(...this.#bind(values)));
    // All clients return the number in this field; some as a bigint.
    return Number((result as { readonly changes?: number | bigint }).changes);
  }

  /** Runs a statement for each of the items. */
  runAll<T>(sql: string, items: Iterable<T>, valuesOf: (item: T) => readonly SqliteValue[]): void {
    this.#call(() => {
      const statement = this.#prepare(sql);
      for (const item of items) statement.run(...this.#bind(valuesOf(item)));
    });
  }

  /** Uses `all`: after `get`, libsql keeps the statement open, and with it a lock that stops other writers. */
  get(sql: string, ...values: readonly SqliteValue[]): SqliteRow | undefined {
    return this.all(sql, ...values)[0];
  }

  all(sql: string, ...values: readonly SqliteValue[]): readonly SqliteRow[] {
    return this.#call(() => this.#prepare(sql).all(...this.#bind(values))) as readonly SqliteRow[];
  }

  /** Runs the body in a transaction: one that no other connection interrupts, or one that only reads. */
  transaction<T>(body: () => T, kind: "IMMEDIATE" | "DEFERRED" = "IMMEDIATE"): T {
    this.exec(`BEGIN ${kind}`);
    try {
      const result = body();
      this.exec("COMMIT");
      return result;
    } catch (error) {
      try {
        this.#database.exec("ROLLBACK");
      } catch {
        // SQLite has rolled back already.
      }
      throw error;
    }
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #prepare(sql: string): SqliteStatement {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #bind(values: readonly SqliteValue[]): never[] {
    // The types of the clients differ; all take these values.
    return (this.#takesArray ? [values] : values) as never[];
  }

  #call<T>(call: () => T): T {
    try {
      return call();
    } catch (error) {
      throw translate(error);
    }
  }
}

/** SQLite is in this process: an error says that the statement had no effect. */
function translate(error: unknown): unknown {
  const { code, errcode } = error as { readonly code?: string; readonly errcode?: number };
  const kind = (errcode ?? 0) & 0xff;
  const is = (name: string, number: number) =>
    kind === number || (typeof code === "string" && code.startsWith(name));
  if (is("SQLITE_BUSY", 5) || is("SQLITE_LOCKED", 6))
    return new StoreError("UNREACHABLE", SUBJECT, "another process has locked the database", {
      cause: error,
    });
  if (is("SQLITE_FULL", 13))
    return new StoreError("FULL", SUBJECT, "the disk is full. Nothing was changed", {
      cause: error,
    });
  if (is("SQLITE_TOOBIG", 18))
    return new StoreError("TOO_LARGE", SUBJECT, undefined, { cause: error });
  if (is("SQLITE_CORRUPT", 11))
    return new StoreError("CORRUPT_BLOB", SUBJECT, "the database file is damaged", {
      cause: error,
    });
  if (is("SQLITE_NOTADB", 26))
    return new StoreError("CORRUPT_BLOB", SUBJECT, "the file is not a SQLite database", {
      cause: error,
    });
  if (is("SQLITE_READONLY", 8) || is("SQLITE_CANTOPEN", 14))
    return new StoreError(
      "ARGUMENT_INVALID",
      SUBJECT,
      "the database cannot be opened for writing",
      {
        cause: error,
      },
    );
  return new StoreError("UNKNOWN", SUBJECT, undefined, { cause: error });
}

/** Blobs come as a buffer or as an `ArrayBuffer`, depending on the client and the method. */
export function bytesOf(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  return new Uint8Array();
}
