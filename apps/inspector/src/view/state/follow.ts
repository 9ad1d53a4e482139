import { effect } from "@preact/signals";
import { mergeOverview } from "../../model/merge-overview.js";
import type { RunKey } from "../../model/run-overview.js";
import { RunIndex } from "../list/run-index.js";
import type { Inspector } from "./inspector.js";

/** Keeps the overviews of runs in progress up to date. */
export function followRuns(inspector: Inspector): void {
  if (!inspector.info.isLive) return;
  const followed = new Set<RunKey>();
  effect(() => {
    for (const [run, { overview }] of inspector.indexes.value)
      if (overview.isActive && !followed.has(run)) {
        followed.add(run);
        void follow(inspector, run).finally(() => followed.delete(run));
      }
  });
}

async function follow(inspector: Inspector, run: RunKey): Promise<void> {
  for (;;) {
    const known = inspector.indexes.peek().get(run)?.overview;
    if (known === undefined || !known.isActive) return;
    try {
      const hasMore = await inspector.source.wait(run, known.position.version);
      if (!hasMore) continue;
      const added = await inspector.source.overview(run, known.position);
      // Answers about the last event can now be complete.
      inspector.answers.forget(`${run}/${known.lastSequence}/`);
      inspector.put(run, new RunIndex(mergeOverview(known, added)));
      inspector.problem.value = undefined;
    } catch (error) {
      inspector.problem.value = `The run cannot be followed: ${error instanceof Error ? error.message : error}`;
      return;
    }
  }
}
