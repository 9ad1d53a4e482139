import type { WalkEntry } from "../driver.js";
import { isPromise, type MaybePromise } from "../maybe-promise.js";
import type { TimeSlices } from "./time-slices.js";

/** What becomes of a walk after an entry: `"stop"` ends it. */
export type Visit = (entry: WalkEntry) => MaybePromise<"stop" | undefined>;

/** Hands on the entries of a walk until one says stop, pausing as `slices` asks. */
export async function visitEntries(
  entries: Iterable<WalkEntry> | AsyncIterable<WalkEntry>,
  slices: TimeSlices,
  visit: Visit,
): Promise<void> {
  // A loop of its own: awaiting each step of a walk that is at hand would cost more than the rest.
  if (Symbol.iterator in entries) {
    for (const entry of entries) {
      const visited = visit(entry);
      if ((isPromise(visited) ? await visited : visited) === "stop") return;
      if (slices.spend()) await slices.pause();
    }
    return;
  }
  for await (const entry of entries) {
    if ((await visit(entry)) === "stop") return;
    if (slices.spend()) await slices.pause();
  }
}
