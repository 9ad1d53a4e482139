import type { Filesystem } from "@wink/filesystem";
import { type Session, SessionError } from "@wink/session";
import { behind, CallScope, scopeOfHandle } from "./call-scope.js";
import type { Rollback } from "./rollback.js";

/** A call that could not be rolled back, and the resources that are unusable because of it. */
interface Poison {
  readonly rollback: Pick<Rollback, "run">;
  readonly resources: readonly object[];
}

const poisoned = new WeakMap<object, Poison[]>();

/** Refuses further calls on `resources` until `rollback` has succeeded. */
export function poison(resources: readonly object[], rollback: Pick<Rollback, "run">): void {
  const entry = { rollback, resources };
  for (const resource of resources) listOf(resource).push(entry);
}

export function isPoisoned(resource: object): boolean {
  return (poisoned.get(resource)?.length ?? 0) > 0;
}

/**
 * Finishes the rollback of calls that could not be rolled back, in order, so that tools can run
 * again. Resolves immediately if there are none.
 *
 * Waits for running calls. A handler may call it with its own session or files, for calls that it
 * made itself. Rejects with an `AggregateError` if a rollback fails again; then tools stay
 * refused. Rejects with `session_busy` in the handler of a read-only tool, because it would wait
 * for its own call.
 *
 * @param target the session or filesystem whose calls are refused
 */
export async function recover(target: Session | Filesystem): Promise<void> {
  const resource = behind(target);
  const entries = [...listOf(resource)];
  const resources = [...new Set<object>(entries.flatMap((entry) => entry.resources))];
  const around = scopeOfHandle(target);
  if (around !== undefined && resources.some((each) => around.modeOf(each) !== "exclusive"))
    throw new SessionError("session_busy", {
      subject: "recover",
      reason: "recover was called inside a running tool call. Call it after that call has ended",
    });
  const scope = new CallScope(
    resources.map((each) => ({ resource: each, mode: "exclusive" })),
    around,
  );
  try {
    await scope.ticket.wait();
    for (const entry of entries) {
      // A concurrent `recover` may have finished it.
      if (!listOf(resource).includes(entry)) continue;
      await entry.rollback.run();
      for (const each of entry.resources) {
        const list = listOf(each);
        list.splice(list.indexOf(entry), 1);
      }
    }
  } finally {
    scope.ticket.release();
  }
}

function listOf(resource: object): Poison[] {
  const known = poisoned.get(resource);
  if (known !== undefined) return known;
  const list: Poison[] = [];
  poisoned.set(resource, list);
  return list;
}
