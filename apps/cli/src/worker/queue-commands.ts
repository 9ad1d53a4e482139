import type { DeadLetter, ListedRequest, RequestCounts, RequestQueue } from "@wink/adapters";
import { openQueue } from "@wink/adapters/worker";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import { placeUrl } from "../workspace/place-url.js";
import type { QueuedRun } from "./queued-run.js";

/** The options of `wink queue add`, as typed. */
export interface AddOptions {
  readonly param: readonly string[];
  readonly id?: string;
  readonly priority?: "high" | "normal" | "low";
  readonly delay?: number;
  readonly replyTo?: string;
}

export interface QueueListing {
  readonly counts: RequestCounts;
  readonly requests: readonly ListedRequest<QueuedRun>[];
  readonly dead: readonly DeadLetter<QueuedRun>[];
}

/** Opens the queue, and closes it after the work. */
export async function withQueue<T>(
  io: Io,
  url: string,
  work: (queue: RequestQueue<QueuedRun>) => Promise<T>,
): Promise<T> {
  const queue = await openQueue<QueuedRun>(placeUrl(url, io.cwd)).catch((error: Error) => {
    throw new CliError(error.message, { exitCode: EXIT_CODES.usage, cause: error });
  });
  try {
    return await work(queue);
  } finally {
    await queue.close?.();
  }
}

export async function addRequest(
  queue: RequestQueue<QueuedRun>,
  { param, id, priority, delay = 0, replyTo }: AddOptions,
): Promise<{ readonly requestId: string }> {
  const params = Object.fromEntries(
    param.map((each) => {
      const at = each.indexOf("=");
      if (at > 0) return [each.slice(0, at), each.slice(at + 1)];
      throw new CliError(`--param takes name=value, not '${each}'.`, {
        exitCode: EXIT_CODES.usage,
      });
    }),
  );
  const times = { delayMs: delay * 1_000, priority, replyTo };
  return { requestId: await queue.add({ requestId: id, body: { params }, ...times }) };
}

export async function listRequests(
  queue: RequestQueue<QueuedRun>,
  limit: number,
): Promise<QueueListing> {
  const [counts, requests] = [await queue.counts(), await queue.list({ limit })];
  return { counts, requests, dead: (await queue.deadLetters()).slice(0, limit) };
}

/** Retries or drops a request. */
export async function changeRequest(
  queue: RequestQueue<QueuedRun>,
  requestId: string,
  what: "requeue" | "drop",
): Promise<{ readonly requestId: string }> {
  if (await queue[what](requestId)) return { requestId };
  throw what === "drop"
    ? new CliError(`Request ${requestId} is unknown, or a worker has it.`, {
        hint: "`wink queue list` shows the requests.",
      })
    : new CliError(`Request ${requestId} is neither a dead letter nor delayed.`, {
        hint: "`wink queue list` shows the requests and the dead letters.",
      });
}

export function renderListing({ counts, requests, dead }: QueueListing): string {
  const { waiting, delayed, leased } = counts;
  const lines = [
    `${waiting} waiting, ${delayed} delayed, ${leased} with a worker, ${counts.dead} dead`,
  ];
  for (const { requestId, state, attempt, priority } of requests)
    lines.push(`  ${state.padEnd(7)}  ${requestId}  attempt ${attempt}, ${priority}`);
  for (const { request, reason, message } of dead)
    lines.push(
      `  dead     ${request.requestId}  attempt ${request.attempt}, ${reason}: ${message}`,
    );
  return lines.join("\n");
}
