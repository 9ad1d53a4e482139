import type { Spending } from "@wink/prompt";
import { invalid, requireOneOf, requireOptions } from "../runtime/context/require-options.js";
import type { NewRequest, QueuedRequest, RequestPriority } from "./request-queue.js";

const OPTIONS = [
  ...["requestId", "body", "deadlineAtMs", "budget", "delayMs", "priority", "key", "replyTo"],
];
const MAX_BODY_BYTES = 256 * 1024;
const MAX_NAME = 1_000;

/** The order in which priorities are taken. */
export const PRIORITIES: readonly RequestPriority[] = ["high", "normal", "low"];

/** A checked new request. `body` is JSON text; plain data that every queue can store. */
export interface RequestData {
  readonly requestId: string;
  readonly body: string;
  readonly delayMs: number;
  readonly deadlineAtMs: number | undefined;
  readonly budget: QueuedRequest["budget"];
  readonly priority: RequestPriority;
  readonly key: string | undefined;
  readonly replyTo: string | undefined;
}

/** Checks a request for `RequestQueue.add`. Every queue refuses the same ones. */
export function requestData(request: NewRequest<unknown>): RequestData {
  requireOptions("request", request, OPTIONS);
  const { requestId = crypto.randomUUID(), delayMs = 0, priority = "normal" } = request;
  const { deadlineAtMs, budget, key, replyTo } = request;
  for (const [name, value] of Object.entries({ requestId, key, replyTo })) checkName(name, value);
  for (const [name, value] of Object.entries({ delayMs, deadlineAtMs })) checkTime(name, value);
  requireOneOf("priority", priority, PRIORITIES);
  const limits = { deadlineAtMs, budget: budget && Object.freeze({ ...budget }) };
  return { requestId, body: bodyText(request.body), delayMs, ...limits, priority, key, replyTo };
}

/** Checks the arguments of `RequestQueue.take`, from a caller in JavaScript. */
export function requireTake(leaseMs: unknown, options: unknown): void {
  if (leaseMs === undefined) throw invalid("take", "the duration of the lease is missing.");
  checkTime("leaseMs", leaseMs);
  requireOptions("take", options, ["waitMs", "signal"]);
}

/** Checks the lease that `RequestQueue.renew` and `end` take. */
export function requireLease(lease: unknown): void {
  if (typeof lease === "object" && lease !== null && "leaseId" in lease && "requestId" in lease)
    return;
  throw invalid("lease", "it must be a request that take() returned.");
}

const ENDINGS: readonly string[] = ["done", "again", "dead"];

export function requireEnding(ending: unknown): void {
  if (typeof ending !== "object" || ending === null || !("kind" in ending))
    throw invalid("ending", `it must be an object with the field 'kind'.`);
  requireOneOf("ending.kind", ending.kind, ENDINGS);
}

export function requireRequestId(requestId: unknown): void {
  if (requestId === undefined) throw invalid("requestId", "it is missing.");
  checkName("requestId", requestId);
}

/** Checks the options of `RequestQueue.list`. Returns the maximum number of requests. */
export function listLimit(options: { readonly limit?: number | undefined }): number {
  requireOptions("list", options, ["limit"]);
  const { limit = 100 } = options;
  if (typeof limit !== "number" || !(limit >= 0))
    throw invalid("limit", "it must be a number from 0.");
  return limit;
}

/** The total of two spendings. */
export function addSpending(before: Spending, more: Spending): Spending {
  const names = new Set([...Object.keys(before), ...Object.keys(more)]);
  const sum = [...names].map((name) => {
    // `name` comes from the keys of both objects, so the cast is safe.
    const key = name as keyof Spending;
    return [name, (before[key] ?? 0) + (more[key] ?? 0)];
  });
  return Object.freeze(Object.fromEntries(sum));
}

function bodyText(body: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(body ?? null);
  } catch (error) {
    throw invalid("body", `it must be JSON: ${error instanceof Error ? error.message : "no data"}`);
  }
  if (text === undefined) throw invalid("body", `it must be JSON, got a ${typeof body}.`);
  if (new TextEncoder().encode(text).length <= MAX_BODY_BYTES) return text;
  throw invalid("body", "it is larger than 256 KiB. Store the data, and pass its id.");
}

function checkName(name: string, value: unknown): void {
  if (value === undefined) return;
  if (typeof value === "string" && value.length > 0 && value.length <= MAX_NAME) return;
  throw invalid(name, `it must be a text of 1 to ${MAX_NAME} characters.`);
}

function checkTime(name: string, value: unknown): void {
  if (value === undefined || (typeof value === "number" && Number.isFinite(value))) return;
  throw invalid(name, "it must be a number of milliseconds.");
}
