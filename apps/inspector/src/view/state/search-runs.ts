import type { RunKey } from "../../model/run-overview.js";
import type { SearchHit } from "../../model/run-views.js";
import type { RunSource } from "../../source/run-source.js";

/** A hit, with the run that it is in. */
export interface RunHit extends SearchHit {
  readonly run: RunKey;
}

const MAX_HITS = 100;
const MAX_RUNS = 30;

/** Searches a run and the runs of its subagents. */
export async function searchRuns(
  source: Pick<RunSource, "search" | "overview">,
  root: RunKey,
  text: string,
): Promise<readonly RunHit[]> {
  const hits: RunHit[] = [];
  const runs: RunKey[] = [root];
  for (let at = 0; at < Math.min(runs.length, MAX_RUNS) && hits.length < MAX_HITS; at++) {
    const run = runs[at] ?? root;
    const found = await source.search(run, text, { limit: MAX_HITS - hits.length });
    hits.push(...found.hits.map((hit) => ({ ...hit, run })));
    const { children } = await source.overview(run);
    runs.push(...children.map((child) => child.run));
  }
  return hits;
}
