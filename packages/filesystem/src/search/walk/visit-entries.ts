import type { TimeSlices } from "../../content/time-slices.js";
import type { WalkEntry } from "../../driver/driver-accelerators.js";
import { isPromise, type MaybePromise } from "../../protocol/maybe-promise.js";

/** What a visitor returns: `"stop"` ends the walk. */
export type Continuation = "stop" | undefined;

export type Visit = (entry: WalkEntry) => MaybePromise<Continuation>;

export interface VisitOptions {
  /** The work done since the last call, in addition to the one unit of each entry. @default none */
  readonly takeWork?: (() => number) | undefined;
  /** Called before each pause. @default nothing is done */
  readonly beforePause?: (() => MaybePromise<Continuation>) | undefined;
}

/** Calls `visit` for the entries of a walk until it returns `"stop"`, with the pauses that `slices` asks for. */
export async function visitEntries(
  entries: Iterable<WalkEntry> | AsyncIterable<WalkEntry>,
  slices: TimeSlices,
  visit: Visit,
  { takeWork, beforePause }: VisitOptions = {},
): Promise<void> {
  // A separate loop, because awaiting each step of a synchronous walk would cost more than the rest.
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

  async function pause(): Promise<Continuation> {
    if ((await beforePause?.()) === "stop") return "stop";
    await slices.pause();
    return undefined;
  }
}
