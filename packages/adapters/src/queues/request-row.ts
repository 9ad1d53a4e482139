import { PRIORITIES } from "../worker/request-data.js";
import type {
  DeadLetter,
  LeasedRequest,
  ListedRequest,
  QueuedRequest,
} from "../worker/request-queue.js";

export type RequestRow = Readonly<Record<string, unknown>>;

/** The columns that every read returns. */
export const COLUMNS =
  "id, body, added, due, priority, attempt, deadline, budget, spent, serial, reply_to, lease, reason, message, buried";

function requestOf<Body>(row: RequestRow): QueuedRequest<Body> {
  const json = (name: string) => (row[name] === null ? undefined : JSON.parse(String(row[name])));
  const text = (name: string) => (row[name] === null ? undefined : String(row[name]));
  return {
    requestId: String(row["id"]),
    body: json("body"),
    addedAtMs: Number(row["added"]),
    attempt: Number(row["attempt"]),
    deadlineAtMs: row["deadline"] === null ? undefined : Number(row["deadline"]),
    budget: json("budget"),
    spent: json("spent"),
    priority: PRIORITIES[Number(row["priority"])] ?? "normal",
    key: text("serial"),
    replyTo: text("reply_to"),
  };
}

export function leaseOf<Body>(row: RequestRow): LeasedRequest<Body> {
  const lease = { leaseId: String(row["lease"]), leasedUntilMs: Number(row["due"]) };
  return { ...requestOf<Body>(row), ...lease };
}

export function listedOf<Body>(row: RequestRow): ListedRequest<Body> {
  // The statement returns only these three states.
  return { ...requestOf<Body>(row), state: String(row["state"]) as ListedRequest["state"] };
}

export function letterOf<Body>(row: RequestRow): DeadLetter<Body> {
  return {
    request: requestOf<Body>(row),
    // Written by `end` of this package.
    reason: String(row["reason"]) as DeadLetter["reason"],
    message: String(row["message"]),
    buriedAtMs: Number(row["buried"]),
  };
}
