import type { WalkEntry } from "../../driver/driver.js";
import { isPromise, type MaybePromise } from "../../protocol/maybe-promise.js";
import type { TimeSlices } from "./time-slices.js";

/** What becomes of a walk: `"stop"` ends it. */
export type GoesOn = "stop" | undefined;

export type Visit = (entry: WalkEntry) => MaybePromise<GoesOn>;

export interface VisitOptions {
  /** Work done since this was last asked, besides the one unit that each entry counts for. @default none */
  readonly takeWork?: (() => number) | undefined;
  /** Called before others get their turn. @default nothing is done */
  readonly beforePause?: (() => MaybePromise<GoesOn>) | undefined;
}

/** Hands on the entries of a walk until one says stop, pausing as `slices` asks. */
export async function visitEntries(
  entries: Iterable<WalkEntry> | AsyncIterable<WalkEntry>,
  slices: TimeSlices,
  visit: Visit,
  { takeWork, beforePause }: VisitOptions = {},
): Promise<void> {
  // A loop of its own: awaiting each step of a walk that is at hand would cost more than the rest.
  if (Symbol.iterator in entries) {
    for (const entry of entries) {
      const visited = visit(entry);
      if ((isPromise(visited) ? await visited : visited) === "stop") return;
      const isOver = takeWork === undefined ? slices.spend() : slices.spend(1 + takeWork());
      if (isOver && (await pause()) === "stop") return;
    }
    return;
  }
  for await (const entry of entries) {
    if ((await visit(entry)) === "stop") return;
    if (slices.spend(1 + (takeWork?.() ?? 0)) && (await pause()) === "stop") return;
  }

  async function pause(): Promise<GoesOn> {
    if ((await beforePause?.()) === "stop") return "stop";
    await slices.pause();
    return undefined;
  }
}
