import { hostname } from "node:os";
import { basename } from "node:path";
import {
  AdapterError,
  type Agent,
  type AgentLoopEvent,
  type RequestQueue,
  type RequestReply,
} from "@wink/adapters";
import { Run } from "@wink/adapters/run";
import { AgentLoopGroup, openQueue, runRequests } from "@wink/adapters/worker";
import type { JsonValue } from "@wink/session";
import { VfsToolsSection } from "@wink/tools";
import { loadAgent } from "../agent/load-agent.js";
import { readParams } from "../agent/read-params.js";
import { openModel } from "../model/open-model.js";
import { openStoreOf } from "../run/stored-runs.js";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import { remark } from "../terminal/print.js";
import { placeUrl } from "../workspace/place-url.js";
import type { QueuedRun } from "./queued-run.js";

/** The options of `wink worker`, as typed. */
export interface WorkerOptions {
  readonly queue: string;
  readonly store: string;
  readonly model: string;
  readonly concurrency: number;
  readonly name?: string;
  readonly health?: number;
  readonly healthHost?: string;
  readonly grace: number;
  readonly lease: number;
  readonly maxAttempts: number;
  readonly maxTurns?: number;
  readonly onAgentChanged: "refuse" | "continue";
}

/** How many requests ended in which way. */
export type WorkerReport = Readonly<Partial<Record<AgentLoopEvent["type"], number>>>;

/** Processes the requests of a queue with an agent, until it is interrupted. */
export async function runWorker(
  io: Io,
  file: string,
  options: WorkerOptions,
): Promise<WorkerReport> {
  const agent = await loadAgent(file, io.cwd);
  const onError = (error: unknown) => remark(io, `worker: ${describe(error)}`);
  const { adapter } = await openModel(options.model, { io, agent, onError });
  const leaseMs = options.lease * 1_000;
  await using store = await openStoreOf(io, options.store);
  const queueUrl = placeUrl(options.queue, io.cwd);
  const queue = await openQueue<QueuedRun>(queueUrl, { leaseMs }).catch(refused);
  const worker = options.name ?? `${hostname()}:${process.pid}`;
  const replies = new Map<string, Promise<RequestQueue<RequestReply>>>();
  const replyQueue = (name: string) => {
    const opened = replies.get(name) ?? openQueue<RequestReply>(sibling(queueUrl, name));
    replies.set(name, opened);
    return opened;
  };
  const counts: Partial<Record<AgentLoopEvent["type"], number>> = {};
  const group = new AgentLoopGroup({
    ...{ graceMs: options.grace * 1_000, signals: [] },
    health: health(options),
    loops: {
      requests: {
        ...{ queue, leaseMs, concurrency: options.concurrency, maxAttempts: options.maxAttempts },
        handler: runRequests<QueuedRun>({
          adapter,
          run: async ({ requestId, body }) =>
            await Run.open(
              { store, id: requestId },
              {
                ...{ agent, worker, name: basename(file), model: options.model },
                params: await paramsOf(agent, body),
                section: (session, filesystem) =>
                  VfsToolsSection.create({ session, filesystem, key: "workspace" }),
                files: { takeOver: "always", leaseMs },
              },
            ),
          evaluate: { maxTurns: options.maxTurns, onAgentChanged: options.onAgentChanged },
        }),
        replies: replyQueue,
        onError,
        onEvent: (event) => {
          counts[event.type] = (counts[event.type] ?? 0) + 1;
          remark(io, lineOf(worker, event));
        },
      },
    },
  });
  const forget = io.onInterrupt(() => {
    remark(io, `worker ${worker} stops: running requests finish their turn.`);
    void group.close();
  });
  try {
    const running = group.run();
    remark(io, `worker ${worker} waits for requests.`);
    await running;
  } finally {
    forget();
    for (const each of [queue, ...(await Promise.all(replies.values()))]) await each.close?.();
  }
  return counts;
}

/** The URL of another queue in the same place. */
function sibling(url: string, name: string): string {
  return `${url.split("#", 1)[0]}#${name}`;
}

function health({ health: port, healthHost: host }: WorkerOptions) {
  return port === undefined ? undefined : { port, host };
}

/** The parameters of a request, which are texts or JSON, checked with the agent's schema. */
async function paramsOf(agent: Agent<unknown>, body: QueuedRun): Promise<JsonValue> {
  const given = Object.entries(body?.params ?? {}).map(
    ([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  const params = await readParams(agent.params, given).catch((error: unknown) => {
    // This code makes the request a dead letter, because no attempt can succeed.
    throw error instanceof CliError
      ? new AdapterError("ARGUMENT_INVALID", { subject: "params", reason: error.message })
      : error;
  });
  // The schema of an agent returns what a run can store.
  return params as JsonValue;
}

function lineOf(worker: string, event: AgentLoopEvent): string {
  const { requestId, attempt, type } = event;
  const error = type === "retried" || type === "buried" ? event.error : undefined;
  const reason = type === "buried" ? `: ${event.reason}` : "";
  const why = error === undefined ? reason : `: ${describe(error)}`;
  return `worker ${worker}: request ${requestId} ${type} (attempt ${attempt})${why}`;
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function refused(error: unknown): never {
  throw new CliError(describe(error), { exitCode: EXIT_CODES.usage, cause: error });
}
