import { sha256 } from "../engine/sha256.js";
import { isStoreError, StoreError } from "../engine/store-error.js";

export type PostgresRow = Readonly<Record<string, unknown>>;

/** The part of a client of `pg` that is used. */
export interface PostgresClient {
  query(
    query: string | { readonly name?: string; readonly text: string; readonly values?: unknown[] },
    values?: unknown[],
  ): Promise<{ readonly rows: readonly Readonly<Record<string, unknown>>[] }>;
}

/** The part of a checked out client of `pg` that is used. */
export interface PostgresPoolClient extends PostgresClient {
  release(error?: boolean): void;
  on(event: "error", listener: (error: Error) => void): unknown;
  removeListener(event: "error", listener: (error: Error) => void): unknown;
}

/** A `Pool` of the package `pg`. */
export interface PostgresPool {
  connect(): Promise<PostgresPoolClient>;
  end(): Promise<void>;
}

const SUBJECT = "store 'postgres'";

/** Runs statements on a pool. The error of a failed statement tells whether it may have been executed. */
export class PostgresConnection {
  readonly #pool: () => Promise<PostgresPool>;
  readonly #prepares: boolean;
  readonly #names = new Map<string, string>();

  constructor(pool: () => Promise<PostgresPool>, prepares: boolean) {
    this.#pool = pool;
    this.#prepares = prepares;
  }

  /** Runs one statement. One round trip. */
  query(text: string, values: readonly unknown[]): Promise<readonly PostgresRow[]> {
    return this.use(async (client) => {
      const name = this.#prepares ? { name: await this.#nameOf(text) } : {};
      // The statement is prepared once for each connection.
      return (await client.query({ ...name, text, values: [...values] })).rows;
    });
  }

  /** Runs the body with one connection. */
  async use<T>(body: (client: PostgresClient) => Promise<T>): Promise<T> {
    let client: PostgresPoolClient;
    try {
      client = await (await this.#pool()).connect();
    } catch (error) {
      throw isStoreError(error) ? error : connectError(error);
    }
    if (typeof client?.release !== "function")
      throw new StoreError(
        "ARGUMENT_INVALID",
        SUBJECT,
        "expected a Pool of the package pg, got a Client",
      );
    // Without a listener, a connection that is lost between two statements would end the process.
    const ignore = () => {};
    client.on("error", ignore);
    let isBroken = false;
    try {
      return await body(client);
    } catch (error) {
      const translated = isStoreError(error) ? error : queryError(error);
      isBroken = isStoreError(translated, "UNKNOWN");
      throw translated;
    } finally {
      client.removeListener("error", ignore);
      client.release(isBroken);
    }
  }

  async #nameOf(text: string): Promise<string> {
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    const name = `wink_${(await sha256(new TextEncoder().encode(text))).slice(0, 24)}`;
    this.#names.set(text, name);
    return name;
  }
}

function stateOf(error: unknown): string {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return typeof code === "string" ? code : "";
}

function connectError(cause: unknown): StoreError {
  const state = stateOf(cause);
  // The cause would contain the URL.
  if (state === "ERR_INVALID_URL")
    return new StoreError("ARGUMENT_INVALID", SUBJECT, "the URL is not valid");
  if (/^(28|3D)/.test(state))
    return new StoreError(
      "ARGUMENT_INVALID",
      SUBJECT,
      "the server refused the credentials or the name of the database",
      { cause },
    );
  return new StoreError("UNREACHABLE", SUBJECT, undefined, { cause });
}

/** An error with an SQLSTATE means that the statement had no effect, unless the server was shutting down. */
function queryError(cause: unknown): StoreError {
  const state = stateOf(cause);
  if (!/^[0-9A-Z]{5}$/.test(state) || /^(08|57P|58|XX)/.test(state))
    return new StoreError("UNKNOWN", SUBJECT, undefined, { cause });
  if (/^(40|55P03|57014|53[2-4]|53000)/.test(state))
    return new StoreError("UNREACHABLE", SUBJECT, "the server is busy. Nothing was changed", {
      cause,
    });
  if (state === "53100")
    return new StoreError("FULL", SUBJECT, "the disk of the server is full", { cause });
  if (/^54/.test(state)) return new StoreError("TOO_LARGE", SUBJECT, undefined, { cause });
  if (state === "23505")
    return new StoreError("REWOUND", SUBJECT, "it has records that its head does not know", {
      cause,
    });
  return new StoreError("ARGUMENT_INVALID", SUBJECT, `the server refused a statement (${state})`, {
    cause,
  });
}
