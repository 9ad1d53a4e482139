import { randomBytes } from "node:crypto";
import { threadId } from "node:worker_threads";
import { TEMPORARY_PREFIX } from "../../path/temporary-prefix.js";
import { requireType } from "./check-arguments.js";
import { findProcess, processIdentity } from "./process-identity.js";

/**
 * A process of another machine or container counts as dead after this time, because its state cannot be checked
 * from here.
 */
const FOREIGN_LIFETIME_MS = 60 * 60 * 1000;

/** Returns a unique name that identifies its process and thread. */
export function temporaryName(): string {
  return ownPrefix() + randomBytes(8).toString("hex");
}

/** Whether a name of `temporaryName` was made by this thread. */
export function isOwnName(name: string): boolean {
  return name.startsWith(ownPrefix());
}

/**
 * Whether the process that a name belongs to is dead. `modifiedAtMs` is the modification time of the node with this
 * name. It decides if the process cannot be checked from here.
 */
export function isAbandoned(
  name: string,
  modifiedAtMs: number,
  { foreignLifetimeMs = FOREIGN_LIFETIME_MS } = {},
): boolean {
  requireType(name, "a string", "isAbandoned");
  const state = findProcess(name.slice(TEMPORARY_PREFIX.length))?.state ?? "unknown";
  return state === "unknown" ? Date.now() - modifiedAtMs > foreignLifetimeMs : state === "dead";
}

function ownPrefix(): string {
  return `${TEMPORARY_PREFIX}${processIdentity()}-${threadId}-`;
}
