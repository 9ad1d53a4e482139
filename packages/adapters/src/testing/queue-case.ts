import type { RequestQueue } from "../worker/request-queue.js";
import type { QueueTime } from "./queue-time.js";

export interface QueueCase {
  readonly title: string;
  /** The case is only for queues that serialise requests with the same key. */
  readonly needsKeys: boolean;
  readonly run: (queue: RequestQueue, time: QueueTime) => Promise<void>;
}

export const AGAIN = { kind: "again", delayMs: 0, counted: true, spent: {} } as const;
export const DEAD = { kind: "dead", reason: "failed", message: "no luck", spent: {} } as const;
export const DONE = { kind: "done" } as const;
