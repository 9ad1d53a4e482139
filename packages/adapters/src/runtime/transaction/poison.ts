import type { Filesystem } from "@wink/filesystem";
import { type Session, SessionError } from "@wink/session";
import { behind, CallScope, scopeOfHandle } from "./call-scope.js";
import type { Rollback } from "./rollback.js";

/** A call that could not be undone, and everything that is unusable because of it. */
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
 * Finishes undoing the calls that could not be undone, in their order, and lets
 * tools run again. Resolves at once when there are none.
 *
 * Waits for the calls that are running. A handler may call it with the session or the files that it was
 * given, for calls that it has made itself.
 * Rejects with an `AggregateError` when it fails again; then tools stay refused. Rejects with `session_busy`
 * in a handler whose tool only reads, because it would wait for its own call.
 *
 * @param lent the session, or the filesystem, whose calls are refused
 */
export async function recover(lent: Session | Filesystem): Promise<void> {
  const resource = behind(lent);
  const entries = [...listOf(resource)];
  const resources = [...new Set<object>(entries.flatMap((entry) => entry.resources))];
  const around = scopeOfHandle(lent);
  if (around !== undefined && resources.some((each) => around.modeOf(each) !== "exclusive"))
    throw new SessionError("session_busy", {
      subject: "recover",
      reason: "the tool call that it was called in is still running; call it after that has ended",
    });
  const scope = new CallScope(
    resources.map((each) => ({ resource: each, mode: "exclusive" })),
    around,
  );
  try {
    await scope.ticket.wait();
    for (const entry of entries) {
      // A concurrent recovery may have done it while this one waited.
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
