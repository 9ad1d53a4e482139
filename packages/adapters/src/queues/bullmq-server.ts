import type { Queue, QueueEvents, Worker } from "bullmq";
import { AdapterError } from "../error/adapter-error.js";
import type { JobData } from "./job-request.js";

/** The part of a client of the package `redis` that is used. */
export interface BullmqClient {
  sendCommand(args: readonly string[]): Promise<unknown>;
  duplicate(): BullmqClient;
  connect(): Promise<unknown>;
  destroy(): void;
}

/** What a queue has opened. */
export interface Opened {
  readonly client: BullmqClient;
  readonly queue: Queue<JobData>;
  readonly worker: Worker<JobData>;
  readonly events: QueueEvents;
  /**
   * Looks for jobs that lost their worker. All processes share one check, and the longest interval counts, so only a
   * queue that takes requests starts it.
   */
  checks?: Promise<void>;
}

export async function importBullmq(): Promise<typeof import("bullmq")> {
  try {
    return await import("bullmq");
  } catch (cause) {
    const reason = "install the package bullmq";
    throw new AdapterError("NOT_INSTALLED", { subject: "queue 'bullmq'", reason, cause });
  }
}

export async function connect(url: string): Promise<BullmqClient> {
  const { createClient } = await import("redis").catch((cause) => {
    const reason = "install the package redis, or pass a client of it";
    throw new AdapterError("NOT_INSTALLED", { subject: "queue 'bullmq'", reason, cause });
  });
  const client = createClient({ url });
  // The client reconnects; a command that fails in the meantime rejects.
  client.on("error", () => {});
  await client.connect();
  // Only these methods are used.
  return client as unknown as BullmqClient;
}

/** Milliseconds since 1970, by the clock of the server. */
export async function serverTime(client: BullmqClient): Promise<number> {
  const [seconds, micros] = (await client.sendCommand(["TIME"])) as readonly string[];
  return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
}

/** BullMQ's errors about a job that another worker has, or that is not where it was, have a negative code. */
export function isLost(error: unknown): boolean {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return typeof code === "number" && code < 0;
}
