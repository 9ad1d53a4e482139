import type { Job } from "bullmq";
import { invalid, requireOptions } from "../runtime/context/require-options.js";
import { systemClock } from "../worker/clock.js";
import {
  addSpending,
  listLimit,
  PRIORITIES,
  requestData,
  requireEnding,
  requireLease,
  requireRequestId,
  requireTake,
} from "../worker/request-data.js";
import type {
  DeadLetter,
  LeasedRequest,
  ListedRequest,
  NewRequest,
  RequestCounts,
  RequestEnding,
  RequestQueue,
  TakeOptions,
} from "../worker/request-queue.js";
import { WakeUp } from "../worker/wake-up.js";
import {
  type BullmqClient,
  connect,
  importBullmq,
  isLost,
  type Opened,
  serverTime,
} from "./bullmq-server.js";
import { type JobData, jobIdOf, jobRequest } from "./job-request.js";
import { checkQueueNames } from "./queue-names.js";

export interface BullmqRequestQueueOptions {
  /** The name of the queue in BullMQ. @default "wink" */
  readonly name?: string | undefined;
  /** The prefix of the keys in Redis. @default "bull" */
  readonly prefix?: string | undefined;
  /**
   * The usual duration of a lease. A lease with another duration costs one more request to the server. Expired leases
   * are found three times per duration. @default 60_000
   */
  readonly leaseMs?: number | undefined;
  /** How often a waiting `take` looks for requests that become due. @default 250 */
  readonly pollMs?: number | undefined;
  /** Receives errors of the connection, which is repaired automatically. @default ignored */
  readonly onError?: ((error: unknown) => void) | undefined;
}

const TOO_EARLY_MS = 1_000;
const CLOSE_MS = 5_000;

/**
 * A queue of BullMQ 6 on Redis or Valkey. Other tools for BullMQ, such as dashboards, see its jobs.
 *
 * Leases and due times follow the server's clock. Requests with the same key may overlap.
 */
export class BullmqRequestQueue<Body = unknown> implements RequestQueue<Body> {
  readonly #server: string | BullmqClient;
  readonly #options: BullmqRequestQueueOptions;
  readonly #jobs = new Map<string, Job<JobData>>();
  readonly #wakeUp = new WakeUp();
  #opened: Promise<Opened> | undefined;

  /** @param server a URL, or a connected client of the package `redis`, which is not closed */
  constructor(server: string | BullmqClient, options: BullmqRequestQueueOptions = {}) {
    requireOptions("BullmqRequestQueue", options, OPTIONS);
    if (typeof server !== "string" && typeof server?.sendCommand !== "function")
      throw invalid("BullmqRequestQueue", "pass a URL, or a client of the package redis.");
    checkQueueNames({ name: options.name ?? "wink" });
    this.#server = server;
    this.#options = options;
  }

  async add(request: NewRequest<Body>): Promise<string> {
    const { delayMs, priority, ...data } = requestData(request);
    const opened = await this.#open();
    const { requestId } = data;
    const [jobId, nowMs] = [jobIdOf(requestId), await serverTime(opened.client)];
    const stored = { ...data, priority, spent: {}, uncounted: 0, dueAtMs: nowMs + delayMs };
    await opened.queue.add("request", stored, {
      ...{ jobId, timestamp: Math.floor(nowMs), removeOnComplete: true, removeOnFail: false },
      priority: PRIORITIES.indexOf(priority) + 1,
      ...(delayMs > 0 && { delay: Math.ceil(delayMs) }),
    });
    this.#wakeUp.wake();
    return requestId;
  }

  async take(leaseMs: number, options: TakeOptions = {}): Promise<LeasedRequest<Body> | undefined> {
    requireTake(leaseMs, options);
    const opened = await this.#open();
    opened.checks ??= opened.worker.startStalledCheckTimer();
    await opened.checks;
    const [take, pollMs] = [() => this.#takeDue(opened, leaseMs), this.#options.pollMs ?? 250];
    return await this.#wakeUp.untilTaken(systemClock, options, take, () => pollMs);
  }

  async renew(lease: LeasedRequest<Body>, leaseMs: number): Promise<boolean> {
    requireLease(lease);
    const { leaseId, requestId } = lease;
    const { queue } = await this.#open();
    return (await queue.getBackend().extendLock(jobIdOf(requestId), leaseId, leaseMs)) === 1;
  }

  async end(lease: LeasedRequest<Body>, ending: RequestEnding): Promise<boolean> {
    requireLease(lease);
    requireEnding(ending);
    const { leaseId, requestId } = lease;
    const opened = await this.#open();
    const job = this.#jobs.get(leaseId) ?? (await opened.queue.getJob(jobIdOf(requestId)));
    this.#jobs.delete(leaseId);
    if (job === undefined) return false;
    try {
      if (ending.kind === "done") await job.moveToCompleted(null, leaseId, false);
      // Extend the lease first: the steps of `#endUndone` need it, and only its holder changes the data.
      else if ((await job.extendLock(leaseId, LOCK_MS)) !== 1) return false;
      else await this.#endUndone(opened, job, lease, ending);
    } catch (error) {
      if (isLost(error)) return false;
      throw error;
    }
    this.#wakeUp.wake();
    return true;
  }

  async deadLetters(): Promise<readonly DeadLetter<Body>[]> {
    const { queue } = await this.#open();
    const jobs = await queue.getJobs(["failed"], 0, -1, true);
    const letters = jobs.map((job) => {
      const { reason = "failed", message = "", buriedAtMs = 0 } = job.data;
      return { request: jobRequest<Body>(job), reason, message, buriedAtMs };
    });
    return letters.sort((a, b) => a.buriedAtMs - b.buriedAtMs);
  }

  async requeue(requestId: string): Promise<boolean> {
    requireRequestId(requestId);
    const job = await (await this.#open()).queue.getJob(jobIdOf(requestId));
    if (job === undefined) return false;
    const isDead = await job.isFailed();
    if (!isDead && !(await job.isDelayed())) return false;
    try {
      const { reason: _, message: __, buriedAtMs: ___, ...data } = job.data;
      const { uncounted } = data;
      await job.updateData({ ...data, uncounted: isDead ? 0 : uncounted, dueAtMs: 0 });
      if (isDead)
        await job.retry("failed", { resetAttemptsMade: true, resetAttemptsStarted: true });
      else await job.promote();
    } catch (error) {
      if (isLost(error)) return false;
      throw error;
    }
    this.#wakeUp.wake();
    return true;
  }

  async drop(requestId: string): Promise<boolean> {
    requireRequestId(requestId);
    const job = await (await this.#open()).queue.getJob(jobIdOf(requestId));
    if (job === undefined) return false;
    try {
      await job.remove();
      return true;
    } catch {
      // BullMQ refuses to remove a job that a worker has.
      return false;
    }
  }

  async counts(): Promise<RequestCounts> {
    const { queue } = await this.#open();
    const states = ["wait", "prioritized", "delayed", "active", "failed"] as const;
    const found = await queue.getJobCounts(...states);
    const count = (state: (typeof states)[number]) => found[state] ?? 0;
    return {
      ...{ waiting: count("wait") + count("prioritized"), delayed: count("delayed") },
      ...{ leased: count("active"), dead: count("failed") },
    };
  }

  async list(
    options: { readonly limit?: number | undefined } = {},
  ): Promise<readonly ListedRequest<Body>[]> {
    const limit = listLimit(options);
    const { queue } = await this.#open();
    const states = [
      ["leased", "active"],
      ["waiting", "wait"],
      ["waiting", "prioritized"],
      ["delayed", "delayed"],
    ] as const;
    const listed: ListedRequest<Body>[] = [];
    for (const [state, type] of states)
      for (const job of await queue.getJobs([type], 0, limit - 1, true))
        listed.push({ ...jobRequest<Body>(job), state });
    return listed.slice(0, limit);
  }

  async close(): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined);
    this.#opened = undefined;
    if (opened === undefined) return;
    const { worker, events, queue, client } = opened;
    // Limit the time, because BullMQ waits forever for a server that does not answer.
    const closed = Promise.all([worker.close(true), events.close(), queue.close()]);
    const stop = new AbortController();
    await Promise.race([closed, systemClock.sleep(CLOSE_MS, stop.signal)]);
    stop.abort();
    if (typeof this.#server === "string") client.destroy();
  }

  async #takeDue(opened: Opened, leaseMs: number): Promise<LeasedRequest<Body> | undefined> {
    const leaseId = crypto.randomUUID();
    const job = await opened.worker.getNextJob(leaseId, { block: false });
    if (job === undefined) return undefined;
    const nowMs = await serverTime(opened.client);
    const earlyMs = job.data.dueAtMs - nowMs;
    // BullMQ decides by the clock of this process whether a job is due.
    if (earlyMs > TOO_EARLY_MS) {
      await job.updateData({ ...job.data, uncounted: job.data.uncounted + 1 });
      await this.#delay(opened, job, leaseId, nowMs, earlyMs);
      return undefined;
    }
    if (leaseMs !== this.#usualLeaseMs && (await job.extendLock(leaseId, leaseMs)) !== 1)
      return undefined;
    this.#jobs.set(leaseId, job);
    return { ...jobRequest<Body>(job), leaseId, leasedUntilMs: nowMs + leaseMs };
  }

  async #endUndone(
    opened: Opened,
    job: Job<JobData>,
    { leaseId, spent }: LeasedRequest<Body>,
    ending: Exclude<RequestEnding, { readonly kind: "done" }>,
  ): Promise<void> {
    const nowMs = await serverTime(opened.client);
    // Store totals and not increments, so that a worker that dies between the steps counts nothing twice.
    const data = { ...job.data, spent: addSpending(spent, ending.spent) };
    if (ending.kind === "dead") {
      const { UnrecoverableError } = await importBullmq();
      const { reason, message } = ending;
      await job.updateData({ ...data, reason, message, buriedAtMs: nowMs });
      await job.moveToFailed(new UnrecoverableError(message), leaseId);
      return;
    }
    const uncounted = data.uncounted + (ending.counted ? 0 : 1);
    await job.updateData({ ...data, uncounted, dueAtMs: nowMs + ending.delayMs });
    if (ending.delayMs > 0) await this.#delay(opened, job, leaseId, nowMs, ending.delayMs);
    else await job.moveToWait(leaseId);
  }

  /** With the server's time, because `job.moveToDelayed` uses the clock of this process. */
  async #delay(opened: Opened, job: Job, leaseId: string, nowMs: number, delayMs: number) {
    const backend = opened.queue.getBackend();
    const [now, delay] = [Math.floor(nowMs), Math.ceil(delayMs)];
    await backend.moveToDelayed(String(job.id), now, delay, leaseId, { skipAttempt: true });
  }

  get #usualLeaseMs(): number {
    return this.#options.leaseMs ?? 60_000;
  }

  #open(): Promise<Opened> {
    this.#opened ??= this.#connect().catch((error) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }

  async #connect(): Promise<Opened> {
    const bullmq = await importBullmq();
    const client = typeof this.#server === "string" ? await connect(this.#server) : this.#server;
    const { name = "wink", prefix = "bull", onError } = this.#options;
    const base = { connection: client, prefix };
    const queue = new bullmq.Queue<JobData>(name, base);
    const worker = new bullmq.Worker<JobData>(name, null, {
      ...{ ...base, autorun: false, skipLockRenewal: true },
      ...{ lockDuration: this.#usualLeaseMs, stalledInterval: Math.ceil(this.#usualLeaseMs / 3) },
      // The loop and not BullMQ decides when a request becomes a dead letter.
      maxStalledCount: Number.MAX_SAFE_INTEGER,
    });
    const events = new bullmq.QueueEvents(name, base);
    queue.on("error", (error) => onError?.(error));
    worker.on("error", (error) => onError?.(error));
    events.on("error", (error) => onError?.(error));
    for (const event of ["added", "waiting", "delayed"] as const)
      events.on(event, () => this.#wakeUp.wake());
    // BullMQ does not close a connection that is closed while it is being opened.
    await Promise.all([queue, worker, events].map((each) => each.waitUntilReady()));
    return { client, queue, worker, events };
  }
}

const OPTIONS: readonly string[] = ["name", "prefix", "leaseMs", "pollMs", "onError"];
/** Long enough for the steps that end a request. */
const LOCK_MS = 30_000;
