import { invalid, requireOptions } from "../runtime/context/require-options.js";
import type { RequestQueue } from "../worker/request-queue.js";

export interface OpenQueueOptions {
  /** The usual duration of a lease, for BullMQ. @default 60_000 */
  readonly leaseMs?: number | undefined;
}

const FORMS = "sqlite:FILE, postgres://HOST/DATABASE or redis://HOST, with #NAME for another queue";

/**
 * Opens the queue that a URL names: `sqlite:work.db`, `postgres://…`, or `redis://…` for BullMQ. The name of the queue
 * follows a `#`. The client of the engine is loaded when it is needed. No message contains the URL, because it may have
 * a password.
 */
export async function openQueue<Body = unknown>(
  url: string,
  options: OpenQueueOptions = {},
): Promise<RequestQueue<Body>> {
  requireOptions("openQueue", options, ["leaseMs"]);
  const [, place = "", scheme = "", name] =
    (typeof url === "string" && /^(([a-z]+):[^#]*)(?:#(.*))?$/i.exec(url)) || [];
  switch (scheme.toLowerCase()) {
    case "sqlite": {
      const { SqliteRequestQueue } = await import("./sqlite-request-queue.js");
      return new SqliteRequestQueue<Body>(place.slice("sqlite:".length), { name });
    }
    case "postgres":
    case "postgresql": {
      const { PostgresRequestQueue } = await import("./postgres-request-queue.js");
      return new PostgresRequestQueue<Body>(place, { name });
    }
    case "redis":
    case "rediss": {
      const { BullmqRequestQueue } = await import("./bullmq-request-queue.js");
      return new BullmqRequestQueue<Body>(place, { name, ...options });
    }
    default:
      throw invalid("queue", `it is not the URL of a queue. Use ${FORMS}.`);
  }
}
