import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Run, readRun } from "@wink/adapters/run";
import { InMemoryFilesystem } from "@wink/filesystem";
import { defineEvent } from "@wink/session";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { recordShowcase } from "../browser-tests/record-showcase.test.support.js";
import { buildOverview } from "../model/build-overview.js";
import { mergeOverview, overviewSince } from "../model/merge-overview.js";
import type { RunOverview } from "../model/run-overview.js";
import { RunFiles } from "./run-files.js";

const Grown = defineEvent("test.grown", z.object({ by: z.number() }));

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

it("a question that waits is answered when the run grows, and ends when the reader leaves (IN-8)", async () => {
  const directory = join(base, "live");
  await using active = await Run.open(directory, { filesystem: new InMemoryFilesystem() });
  using files = new RunFiles({ runs: [directory] });
  const { source } = files;
  const first = await source.overview("0");
  expect((await source.info()).runs[0]?.events).toBe(1);
  const waiting = source.wait("0", first.position.version);
  active.session.dispatch(Grown({ by: 1 }));
  expect(await waiting).toBe(true);
  expect((await source.info()).runs[0]?.events).toBe(2);
  const added = await source.overview("0", first.position);
  expect(added.columns.type).toHaveLength(1);
  const merged = mergeOverview(first, added);
  expect(merged.columns.types[merged.columns.type.at(-1) ?? -1]).toBe("test.grown");
  const left = new AbortController();
  const idle = source.wait("0", added.position.version, left.signal);
  left.abort();
  expect(await idle).toBe(false);
});
