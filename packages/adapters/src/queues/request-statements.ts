import { addSpending, PRIORITIES, type RequestData } from "../worker/request-data.js";
import type { LeasedRequest, RequestEnding } from "../worker/request-queue.js";
import { COLUMNS } from "./request-row.js";
import { NOW, raw, type Sql, sql } from "./sql.js";

/**
 * The statements of a queue in a table.
 *
 * A leased request is due when its lease ends, so one condition finds requests that wait and requests that lost their
 * worker. A dead request has a reason.
 */
export class RequestStatements {
  readonly #table: ReturnType<typeof raw>;
  readonly #queue: string;
  readonly #lock: ReturnType<typeof raw>;

  /** @param lock the clause that makes concurrent `take` calls skip each other's requests */
  constructor(table: string, queue: string, lock: string) {
    this.#table = raw(table);
    this.#queue = queue;
    this.#lock = raw(lock);
  }

  add(data: RequestData): Sql {
    const { requestId, body, delayMs, deadlineAtMs, budget, priority, key, replyTo } = data;
    return sql`INSERT INTO ${this.#table} (queue, id, body, added, due, priority, attempt, deadline, budget, spent, serial, reply_to)
      VALUES (${this.#queue}, ${requestId}, ${body}, ${NOW}, ${NOW} + CAST(${Math.ceil(delayMs)} AS bigint),
        ${PRIORITIES.indexOf(priority)}, 0, ${deadlineAtMs ?? null}, ${budget ? JSON.stringify(budget) : null}, '{}',
        ${key ?? null}, ${replyTo ?? null})
      ON CONFLICT (queue, id) DO NOTHING`;
  }

  /** Finds the number of the request that is taken next. */
  next(): Sql {
    return sql`SELECT n FROM ${this.#table} r
      WHERE queue = ${this.#queue} AND reason IS NULL AND due <= ${NOW}
        AND (serial IS NULL OR NOT EXISTS (SELECT 1 FROM ${this.#table} o WHERE o.queue = r.queue
          AND o.serial = r.serial AND o.reason IS NULL AND o.lease IS NOT NULL AND o.due > ${NOW}))
      ORDER BY priority, due, n LIMIT 1 ${this.#lock}`;
  }

  take(leaseId: string, leaseMs: number): Sql {
    return sql`UPDATE ${this.#table}
      SET lease = ${leaseId}, due = ${NOW} + CAST(${Math.ceil(leaseMs)} AS bigint), attempt = attempt + 1
      WHERE n = (${this.next()}) RETURNING ${raw(COLUMNS)}`;
  }

  renew(leaseId: string, leaseMs: number): Sql {
    return sql`UPDATE ${this.#table} SET due = ${NOW} + CAST(${Math.ceil(leaseMs)} AS bigint)
      WHERE queue = ${this.#queue} AND lease = ${leaseId} AND reason IS NULL RETURNING id`;
  }

  end({ leaseId, spent }: LeasedRequest, ending: RequestEnding): Sql {
    const mine = sql`queue = ${this.#queue} AND lease = ${leaseId} AND reason IS NULL RETURNING id`;
    if (ending.kind === "done") return sql`DELETE FROM ${this.#table} WHERE ${mine}`;
    // Only the holder of the lease changes it, so the lease has the present total.
    const total = JSON.stringify(addSpending(spent, ending.spent));
    if (ending.kind === "dead")
      return sql`UPDATE ${this.#table} SET lease = NULL, spent = ${total}, reason = ${ending.reason},
        message = ${ending.message}, buried = ${NOW} WHERE ${mine}`;
    return sql`UPDATE ${this.#table} SET lease = NULL, due = ${NOW} + CAST(${Math.ceil(ending.delayMs)} AS bigint),
      spent = ${total}, attempt = attempt - CAST(${ending.counted ? 0 : 1} AS integer) WHERE ${mine}`;
  }

  deadLetters(): Sql {
    return sql`SELECT ${raw(COLUMNS)} FROM ${this.#table}
      WHERE queue = ${this.#queue} AND reason IS NOT NULL ORDER BY buried, n`;
  }

  requeue(requestId: string): Sql {
    return sql`UPDATE ${this.#table} SET reason = NULL, message = NULL, buried = NULL, due = ${NOW},
        attempt = CASE WHEN reason IS NULL THEN attempt ELSE 0 END
      WHERE queue = ${this.#queue} AND id = ${requestId}
        AND (reason IS NOT NULL OR (lease IS NULL AND due > ${NOW})) RETURNING id`;
  }

  drop(requestId: string): Sql {
    return sql`DELETE FROM ${this.#table} WHERE queue = ${this.#queue} AND id = ${requestId}
      AND (lease IS NULL OR due <= ${NOW}) RETURNING id`;
  }

  counts(): Sql {
    return sql`SELECT state, count(*) AS count FROM (SELECT ${this.#state()} AS state FROM ${this.#table}
      WHERE queue = ${this.#queue}) s GROUP BY state`;
  }

  list(limit: number): Sql {
    return sql`SELECT ${this.#state()} AS state, ${raw(COLUMNS)} FROM ${this.#table}
      WHERE queue = ${this.#queue} AND reason IS NULL
      ORDER BY priority, due, n LIMIT CAST(${Math.min(limit, 2 ** 31)} AS bigint)`;
  }

  #state(): Sql {
    return sql`CASE WHEN reason IS NOT NULL THEN 'dead' WHEN due <= ${NOW} THEN 'waiting'
      WHEN lease IS NOT NULL THEN 'leased' ELSE 'delayed' END`;
  }
}
