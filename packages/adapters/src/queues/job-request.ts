import { createHash } from "node:crypto";
import type { Spending } from "@wink/prompt";
import type { RequestData } from "../worker/request-data.js";
import type { DeadLetter, QueuedRequest } from "../worker/request-queue.js";

/** A request as the data of a job. */
export interface JobData extends Omit<RequestData, "delayMs"> {
  readonly spent: Spending;
  /** How many starts of the job do not count as attempts. */
  readonly uncounted: number;
  /** When the request is due, by the clock of the server. */
  readonly dueAtMs: number;
  readonly reason?: DeadLetter["reason"] | undefined;
  readonly message?: string | undefined;
  readonly buriedAtMs?: number | undefined;
}

/** BullMQ refuses ids with a colon and numbers, so the id of the job is a hash. */
export function jobIdOf(requestId: string): string {
  return `r${createHash("sha256").update(requestId).digest("base64url")}`;
}

export function jobRequest<Body>(job: {
  readonly data: JobData;
  readonly timestamp: number;
  readonly attemptsStarted: number;
}): QueuedRequest<Body> {
  const { requestId, body, deadlineAtMs, budget, spent, priority, key, replyTo } = job.data;
  return {
    ...{ requestId, body: JSON.parse(body), addedAtMs: job.timestamp, deadlineAtMs, budget, spent },
    ...{ attempt: job.attemptsStarted - job.data.uncounted, priority, key, replyTo },
  };
}
