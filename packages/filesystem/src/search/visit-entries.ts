import type { WalkEntry } from "../driver.js";
import type { TimeSlices } from "./time-slices.js";

/** Hands on every entry of a walk, pausing as `slices` asks. */
export async function visitEntries(
  entries: Iterable<WalkEntry> | AsyncIterable<WalkEntry>,
  slices: TimeSlices,
  visit: (entry: WalkEntry) => void,
): Promise<void> {
  // A loop of its own: awaiting each step of a walk that is at hand would cost more than the rest.
  if (Symbol.iterator in entries) {
    for (const entry of entries) {
      visit(entry);
      if (slices.spend()) await slices.pause();
    }
    return;
  }
  for await (const entry of entries) {
    visit(entry);
    if (slices.spend()) await slices.pause();
  }
}
