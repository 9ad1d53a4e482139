import { systemClock } from "../worker/clock.js";
import {
  listLimit,
  requestData,
  requireEnding,
  requireLease,
  requireRequestId,
  requireTake,
} from "../worker/request-data.js";
import type * as requests from "../worker/request-queue.js";
import type { WakeUp } from "../worker/wake-up.js";
import { leaseOf, letterOf, listedOf, type RequestRow } from "./request-row.js";
import type { RequestStatements } from "./request-statements.js";
import type { Sql } from "./sql.js";

/** The database of a queue. */
export interface SqlDatabase {
  /** Runs one statement, atomically. */
  all(statement: Sql): Promise<readonly RequestRow[]>;
  /** Whether to look for a request before the first write, because a write would lock the database. */
  readonly looksFirst: boolean;
  /** How often a waiting `take` looks for requests. */
  readonly pollMs: number;
  close(): Promise<void>;
}

/** A queue in the table of a database. */
export class SqlRequestQueue<Body = unknown> implements requests.RequestQueue<Body> {
  readonly #database: SqlDatabase;
  readonly #statements: RequestStatements;
  readonly #wakeUp: WakeUp;

  constructor(database: SqlDatabase, statements: RequestStatements, wakeUp: WakeUp) {
    this.#database = database;
    this.#statements = statements;
    this.#wakeUp = wakeUp;
  }

  async add(request: requests.NewRequest<Body>): Promise<string> {
    const data = requestData(request);
    await this.#database.all(this.#statements.add(data));
    this.#wakeUp.wake();
    return data.requestId;
  }

  async take(
    leaseMs: number,
    options: requests.TakeOptions = {},
  ): Promise<requests.LeasedRequest<Body> | undefined> {
    requireTake(leaseMs, options);
    const { looksFirst, pollMs } = this.#database;
    const take = async () => {
      if (looksFirst && !(await this.#has(this.#statements.next()))) return undefined;
      const statement = this.#statements.take(crypto.randomUUID(), leaseMs);
      const [row] = await this.#database.all(statement);
      return row && leaseOf<Body>(row);
    };
    return await this.#wakeUp.untilTaken(systemClock, options, take, () => pollMs);
  }

  async renew(lease: requests.LeasedRequest<Body>, leaseMs: number): Promise<boolean> {
    requireLease(lease);
    const { leaseId } = lease;
    return await this.#has(this.#statements.renew(leaseId, leaseMs));
  }

  async end(lease: requests.LeasedRequest<Body>, ending: requests.RequestEnding): Promise<boolean> {
    requireLease(lease);
    requireEnding(ending);
    const isEnded = await this.#has(this.#statements.end(lease, ending));
    this.#wakeUp.wake();
    return isEnded;
  }

  async deadLetters(): Promise<readonly requests.DeadLetter<Body>[]> {
    return (await this.#database.all(this.#statements.deadLetters())).map((row) => letterOf(row));
  }

  async requeue(requestId: string): Promise<boolean> {
    requireRequestId(requestId);
    const isRequeued = await this.#has(this.#statements.requeue(requestId));
    this.#wakeUp.wake();
    return isRequeued;
  }

  async drop(requestId: string): Promise<boolean> {
    requireRequestId(requestId);
    return await this.#has(this.#statements.drop(requestId));
  }

  async counts(): Promise<requests.RequestCounts> {
    const rows = await this.#database.all(this.#statements.counts());
    const found = Object.fromEntries(rows.map((row) => [String(row["state"]), row["count"]]));
    const count = (state: string) => Number(found[state] ?? 0);
    return {
      ...{ waiting: count("waiting"), delayed: count("delayed") },
      ...{ leased: count("leased"), dead: count("dead") },
    };
  }

  async list(
    options: { readonly limit?: number | undefined } = {},
  ): Promise<readonly requests.ListedRequest<Body>[]> {
    const limit = listLimit(options);
    return (await this.#database.all(this.#statements.list(limit))).map((row) => listedOf(row));
  }

  async close(): Promise<void> {
    await this.#database.close();
  }

  async #has(statement: Sql): Promise<boolean> {
    return (await this.#database.all(statement)).length > 0;
  }
}
