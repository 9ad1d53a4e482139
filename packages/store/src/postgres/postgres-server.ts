import { checkChoice, checkNumber } from "../engine/check-options.js";
import { StoreError } from "../engine/store-error.js";
import { DEFAULT_TIMEOUT_MS, deadline } from "../store/retry.js";
import { PostgresConnection, type PostgresPool } from "./postgres-connection.js";

export interface PostgresServerOptions {
  readonly maxConnections?: number | undefined;
  readonly preparedStatements?: boolean | undefined;
  readonly timeoutMs?: number | undefined;
}

/** The server ends a slow statement itself; the client waits a little longer for the answer. */
const QUERY_GRACE_MS = 1_000;

/** A server that is connected when it is first used. A pool of the caller is not closed. */
export class PostgresServer {
  readonly connection: PostgresConnection;
  readonly #server: string | PostgresPool;
  readonly #options: PostgresServerOptions;
  #pool: Promise<PostgresPool> | undefined;

  /** @param subject the name of the argument, for errors */
  constructor(subject: string, server: string | PostgresPool, options: PostgresServerOptions) {
    if (typeof server !== "string" && typeof server?.connect !== "function")
      throw new StoreError(
        "ARGUMENT_INVALID",
        subject,
        "expected a URL, or a Pool of the package pg",
      );
    checkNumber("maxConnections", options.maxConnections, 1);
    checkChoice("preparedStatements", options.preparedStatements, [true, false]);
    this.#server = server;
    this.#options = options;
    this.connection = new PostgresConnection(() => this.pool(), options.preparedStatements ?? true);
  }

  pool(): Promise<PostgresPool> {
    const server = this.#server;
    this.#pool ??=
      typeof server === "string" ? openPool(server, this.#options) : Promise.resolve(server);
    return this.#pool;
  }

  async close(): Promise<void> {
    const opened = this.#pool;
    this.#pool = undefined;
    if (typeof this.#server !== "string") return;
    const pool = await opened?.catch(() => undefined);
    // A server that does not answer must not hold up the program.
    const limit = deadline({ timeoutMs: this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS });
    await limit.race(pool?.end() ?? Promise.resolve()).catch(() => {});
  }
}

async function openPool(
  url: string,
  { maxConnections = 10, timeoutMs = DEFAULT_TIMEOUT_MS }: PostgresServerOptions,
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
    // A connection that no longer answers is closed, because otherwise its place in the pool would stay taken.
    query_timeout: timeoutMs + QUERY_GRACE_MS,
  });
  // A connection that is lost while it is idle is replaced by the pool.
  pool.on("error", () => {});
  return pool;
}
