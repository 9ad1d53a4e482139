import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readRun } from "@wink/adapters/run";
import { afterAll, beforeAll, expect, it } from "vitest";
import { recordShowcase } from "../browser-tests/record-showcase.test.support.js";
import { buildOverview } from "../model/build-overview.js";
import { mergeOverview, overviewSince } from "../model/merge-overview.js";
import type { RunOverview } from "../model/run-overview.js";

let base: string;
let run: string;

beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), "wink-follow-"));
  run = await recordShowcase(base, { evaluations: 2 });
});

afterAll(() => rmSync(base, { recursive: true }));

it("a reader that follows a run has after each step what a new reader has (IN-8)", async () => {
  using reader = await readRun(run);
  const { events, transcript } = reader;
  const overviewAt = (last: number): RunOverview =>
    buildOverview({
      ...{ key: "0", place: "", name: "run", header: null, children: [], hasFiles: true },
      ...{ changedFiles: null, part: (id: string) => reader.part(id) },
      events: events.filter(({ sequence }) => sequence <= last),
      transcript: transcript.filter(({ sequence }) => sequence <= last),
    });
  const overviews = Array.from({ length: events.length }, (_, index) => overviewAt(index + 1));
  const last = overviews.at(-1);
  for (const [step, next] of overviews.entries())
    for (const back of [1, 2, 7, 30]) {
      const known = overviews[step - back];
      if (known === undefined) continue;
      const added = overviewSince(next, known.position);
      expect(mergeOverview(known, JSON.parse(JSON.stringify(added)))).toEqual(
        JSON.parse(JSON.stringify(next)),
      );
      if (back === 1 && step > 20) expect(added.turns.length).toBeLessThan(4);
    }
  expect(last?.evaluations).toHaveLength(2);
});
