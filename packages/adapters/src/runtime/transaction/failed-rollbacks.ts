import type { Filesystem } from "@wink/filesystem";
import { type Session, SessionError } from "@wink/session";
import { hasMethod, invalid } from "../context/require-options.js";
import { type CallResource, ownerOf, resourceOf } from "./call-resource.js";
import { CallScope } from "./call-scope.js";

/** Refuses further calls on `resources` until `run` has succeeded. */
export function blockCalls(resources: readonly CallResource[], run: () => Promise<void>): void {
  const failed = { resources, run };
  for (const { failedRollbacks } of resources) failedRollbacks.push(failed);
}

/**
 * Finishes the rollback of calls that could not be rolled back, in order, so that tools can run
 * again. Resolves immediately if there are none.
 *
 * Waits for running calls. A handler may call it with its own session or files, for calls that it
 * made itself. Rejects with an `AggregateError` if a rollback fails again; then tools stay
 * refused. Rejects with `SESSION_BUSY` in the handler of a read-only tool, because it would wait
 * for its own call.
 *
 * @param target the session or filesystem whose calls are refused
 */
export async function recover(target: Session | Filesystem): Promise<void> {
  if (!hasMethod(target, "dispatch") && !hasMethod(target, "read"))
    throw invalid("recover", "pass the session or the filesystem whose calls are refused.");
  const { failedRollbacks } = resourceOf(target);
  const waiting = [...failedRollbacks];
  const resources = [...new Set(waiting.flatMap((failed) => failed.resources))];
  const around = ownerOf(target)?.scope;
  if (around !== undefined && resources.some((each) => around.modeOf(each) !== "exclusive"))
    throw new SessionError(
      "SESSION_BUSY",
      "recover",
      "recover was called inside a running tool call. Call it after that call has ended",
    );
  const wanted = resources.map((resource) => ({ resource, mode: "exclusive" as const }));
  const { ticket } = new CallScope(wanted, around);
  try {
    await ticket.wait();
    for (const failed of waiting) {
      // A concurrent `recover` may have finished it.
      if (!failedRollbacks.includes(failed)) continue;
      await failed.run();
      for (const { failedRollbacks: list } of failed.resources)
        list.splice(list.indexOf(failed), 1);
    }
  } finally {
    ticket.release();
  }
}
