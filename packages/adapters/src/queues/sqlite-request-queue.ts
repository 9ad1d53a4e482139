import {
  migrateSqlite,
  retryWrite,
  type SqliteDatabase,
  SqliteFile,
} from "@wink/store/sql/internal";
import { invalid, requireOptions } from "../runtime/context/require-options.js";
import { WakeUp } from "../worker/wake-up.js";
import { checkQueueNames } from "./queue-names.js";
import { RequestStatements } from "./request-statements.js";
import { NOW, rendered, type Sql } from "./sql.js";
import { SqlRequestQueue } from "./sql-request-queue.js";

export interface SqliteRequestQueueOptions {
  /** Several queues can share a file. @default "default" */
  readonly name?: string | undefined;
  /** The names of the tables begin with it. @default "wink_" */
  readonly tablePrefix?: string | undefined;
  /**
   * `"full"`: a request survives a power failure. `"normal"`: it survives the end of the process.
   * @default "full"
   */
  readonly synchronous?: "full" | "normal" | undefined;
  /** How often a waiting `take` looks for requests of other processes. @default 100 */
  readonly pollMs?: number | undefined;
}

/** How long a statement waits for other processes. */
const TIMEOUT_MS = 30_000;

/**
 * A queue in a SQLite file, for several processes of one machine. The file can be the one of `sqliteStore`.
 *
 * Leases end by the clock of the machine.
 */
export class SqliteRequestQueue<Body = unknown> extends SqlRequestQueue<Body> {
  /** @param location the path of the file, or an open database, which is not closed */
  constructor(location: string | SqliteDatabase, options: SqliteRequestQueueOptions = {}) {
    requireOptions("SqliteRequestQueue", options, [
      ...["name", "tablePrefix", "synchronous", "pollMs"],
    ]);
    if (typeof location !== "string" && typeof location?.prepare !== "function")
      throw invalid("SqliteRequestQueue", "pass a path or an open database.");
    const { name = "default", tablePrefix = "wink_", synchronous, pollMs = 100 } = options;
    checkQueueNames({ name, tablePrefix });
    const table = `${tablePrefix}request`;
    const file = new SqliteFile(location, { synchronous }, (connection) =>
      migrateSqlite(connection, {
        ...{ meta: `${tablePrefix}meta`, name: "queue", subject: "queue 'sqlite'" },
        steps: migrations(table),
      }),
    );
    const all = (statement: Sql) =>
      retryWrite(
        async () => {
          const connection = await file.open();
          const { text, values } = rendered(statement, (value, used) => {
            used.push(value === NOW ? Date.now() : value);
            return "?";
          });
          return connection.all(text, ...values);
        },
        { timeoutMs: TIMEOUT_MS },
      );
    const database = { all, looksFirst: true, pollMs, close: () => file.close() };
    super(database, new RequestStatements(table, name, ""), new WakeUp());
  }
}

/** Each step brings the table from one version to the next. A released step never changes. */
function migrations(table: string): readonly string[] {
  return [
    `CREATE TABLE ${table} (
      n INTEGER PRIMARY KEY AUTOINCREMENT, queue TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL,
      added INTEGER NOT NULL, due INTEGER NOT NULL, priority INTEGER NOT NULL, attempt INTEGER NOT NULL,
      deadline INTEGER, budget TEXT, spent TEXT NOT NULL, serial TEXT, reply_to TEXT, lease TEXT,
      reason TEXT, message TEXT, buried INTEGER, UNIQUE (queue, id));
    CREATE INDEX ${table}_due ON ${table} (queue, priority, due, n) WHERE reason IS NULL;
    CREATE INDEX ${table}_serial ON ${table} (queue, serial) WHERE serial IS NOT NULL AND lease IS NOT NULL;
    CREATE INDEX ${table}_lease ON ${table} (lease) WHERE lease IS NOT NULL;`,
  ];
}
