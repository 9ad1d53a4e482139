import {
  migratePostgres,
  type PostgresPool,
  PostgresServer,
  retryWrite,
  type SqlStatement,
} from "@wink/store/sql/internal";
import { requireOptions } from "../runtime/context/require-options.js";
import { requestData } from "../worker/request-data.js";
import type { LeasedRequest, NewRequest, RequestEnding } from "../worker/request-queue.js";
import { WakeUp } from "../worker/wake-up.js";
import { PostgresListener } from "./postgres-listener.js";
import { checkQueueNames } from "./queue-names.js";
import { RequestStatements } from "./request-statements.js";
import { NOW, rendered, type Sql } from "./sql.js";
import { SqlRequestQueue } from "./sql-request-queue.js";

export interface PostgresRequestQueueOptions {
  /** Several queues can share a database. @default "default" */
  readonly name?: string | undefined;
  /** Created if it does not exist. @default "public" */
  readonly schema?: string | undefined;
  /** The names of the tables begin with it. @default "wink_" */
  readonly tablePrefix?: string | undefined;
  /** How many connections a queue with a URL opens; one of them waits for notifications. @default 10 */
  readonly maxConnections?: number | undefined;
  /** Turn it off for a pooler that gives each statement another connection. @default true */
  readonly preparedStatements?: boolean | undefined;
  /**
   * Waits for requests with LISTEN, on a separate connection. Turn it off for a pooler. @default true
   */
  readonly listens?: boolean | undefined;
  /** How often a waiting `take` looks for requests that become due. @default 500 */
  readonly pollMs?: number | undefined;
}

const OPTIONS: readonly (keyof PostgresRequestQueueOptions)[] = [
  ...(["name", "schema", "tablePrefix", "maxConnections", "preparedStatements"] as const),
  ...(["listens", "pollMs"] as const),
];
const TIMEOUT_MS = 30_000;
const SERVER_TIME = "(SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint))";

/**
 * A queue in PostgreSQL 13 or newer. Leases and delays end by the clock of the server.
 *
 * In the database of `postgresStore`, a request can be added or ended in the transaction of a run's commit:
 * `commit({ statements: [queue.addStatement(…)] })`.
 */
export class PostgresRequestQueue<Body = unknown> extends SqlRequestQueue<Body> {
  readonly #statements: RequestStatements;

  /** @param server a URL, or a `Pool` of the package `pg`, which is not closed */
  constructor(server: string | PostgresPool, options: PostgresRequestQueueOptions = {}) {
    requireOptions("PostgresRequestQueue", options, OPTIONS);
    const { name = "default", schema = "public", tablePrefix = "wink_", pollMs = 500 } = options;
    checkQueueNames({ name, schema, tablePrefix });
    const opened = new PostgresServer("PostgresRequestQueue", server, options);
    const table = `"${schema}"."${tablePrefix}request"`;
    const statements = new RequestStatements(table, name, "FOR UPDATE SKIP LOCKED");
    const wakeUp = new WakeUp();
    const channel = `${tablePrefix}request`;
    const listener =
      options.listens === false ? undefined : new PostgresListener(opened, channel, name, wakeUp);
    let migrated: Promise<void> | undefined;
    const migrate = () => {
      migrated ??= opened.connection
        .use((client) =>
          migratePostgres(client, {
            ...{ schema, meta: `"${schema}"."${tablePrefix}meta"`, name: "queue" },
            ...{ subject: "queue 'postgres'", steps: migrations(schema, tablePrefix) },
          }),
        )
        .catch((error) => {
          migrated = undefined;
          throw error;
        });
      return migrated;
    };
    const all = (statement: Sql) =>
      retryWrite(
        async () => {
          await migrate();
          await listener?.listen();
          const { text, values } = statementOf(statement);
          return await opened.connection.query(text, values);
        },
        { timeoutMs: TIMEOUT_MS },
      );
    async function close(): Promise<void> {
      await listener?.close();
      await opened.close();
    }
    super({ all, looksFirst: false, pollMs, close }, statements, wakeUp);
    this.#statements = statements;
  }

  /**
   * Adds a request when the statement is committed, for example with a run. The queue must have been used before, so
   * that its tables exist.
   */
  addStatement(request: NewRequest<Body>): SqlStatement {
    return statementOf(this.#statements.add(requestData(request)));
  }

  /** Ends a request when the statement is committed. It does nothing if another worker has taken the request. */
  endStatement(lease: LeasedRequest<Body>, ending: RequestEnding): SqlStatement {
    return statementOf(this.#statements.end(lease, ending));
  }
}

function statementOf(statement: Sql): Required<SqlStatement> & { readonly values: unknown[] } {
  return rendered(statement, (value, used) => {
    if (value === NOW) return SERVER_TIME;
    used.push(value);
    return `$${used.length}`;
  });
}

/** Each step brings the table from one version to the next. A released step never changes. */
function migrations(schema: string, prefix: string): readonly string[] {
  const name = (end: string) => `"${schema}"."${prefix}${end}"`;
  const text = 'text COLLATE "C"';
  return [
    `CREATE TABLE ${name("request")} (
      n bigserial PRIMARY KEY, queue ${text} NOT NULL, id ${text} NOT NULL, body text NOT NULL,
      added bigint NOT NULL, due bigint NOT NULL, priority int NOT NULL, attempt int NOT NULL,
      deadline float8, budget text, spent text NOT NULL, serial ${text}, reply_to text, lease ${text},
      reason text, message text, buried bigint, UNIQUE (queue, id)) WITH (fillfactor = 70);
    CREATE INDEX "${prefix}request_due" ON ${name("request")} (queue, priority, due, n) WHERE reason IS NULL;
    CREATE INDEX "${prefix}request_serial" ON ${name("request")} (queue, serial)
      WHERE serial IS NOT NULL AND lease IS NOT NULL;
    CREATE INDEX "${prefix}request_lease" ON ${name("request")} (lease) WHERE lease IS NOT NULL;
    CREATE FUNCTION ${name("request_changed")}() RETURNS trigger LANGUAGE plpgsql AS $body$
      BEGIN
        IF TG_OP = 'DELETE' THEN PERFORM pg_notify('${prefix}request', OLD.queue);
        ELSIF NEW.lease IS NULL AND NEW.reason IS NULL THEN PERFORM pg_notify('${prefix}request', NEW.queue);
        END IF;
        RETURN NULL;
      END $body$;
    CREATE TRIGGER "${prefix}request_changed" AFTER INSERT OR UPDATE OR DELETE ON ${name("request")}
      FOR EACH ROW EXECUTE FUNCTION ${name("request_changed")}();`,
  ];
}
