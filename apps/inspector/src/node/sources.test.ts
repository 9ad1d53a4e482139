import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { recordShowcase } from "../browser-tests/record-showcase.test.support.js";
import type { RunOverview } from "../model/run-overview.js";
import { embeddedSource } from "../source/embedded-source.js";
import { httpSource } from "../source/http-source.js";
import type { RunSource } from "../source/run-source.js";
import { exportPage } from "./export-page.js";
import { RunFiles } from "./run-files.js";
import { InspectorServer } from "./serve-inspector.js";
import { chunksOf, PAGE } from "./test-page.test.support.js";

let base: string;
let files: RunFiles;
let direct: RunSource;

beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), "wink-sources-"));
  files = new RunFiles({ runs: [await recordShowcase(base)] });
  direct = files.source;
});

afterAll(() => {
  files.close();
  rmSync(base, { recursive: true });
});

/** Asks everything that the page can ask about a run, at every event, and returns the answers. */
async function askAll(source: RunSource, run: string): Promise<readonly unknown[]> {
  const overview = await source.overview(run);
  const { lastSequence, turns, calls } = overview;
  const answers: unknown[] = [withoutPlace(overview), await source.events(run, 1, lastSequence)];
  for (let event = 0; event <= lastSequence; event++) {
    answers.push(await source.state(run, event), await source.records(run, event));
    answers.push(await source.messages(run, event, 0, 200));
    const tree = await source.tree(run, { event });
    answers.push(sorted(tree.entries), await source.changes(run, { event: 0 }, { event }));
  }
  for (const { index } of turns) answers.push(await source.prompt(run, index));
  for (const { index, end, undone } of calls) {
    const call = await source.call(run, index);
    answers.push(call);
    if (end === null || undone === null) continue;
    const { changes } = await source.changes(run, { event: end }, { event: end, undone: true });
    answers.push(changes);
    for (const { before, after } of changes) answers.push(await source.diff(run, before, after));
  }
  const { entries } = await source.tree(run, { event: lastSequence });
  for (const [index, { path, kind, content }] of entries.entries()) {
    if (kind !== "file") continue;
    answers.push(
      path,
      await source.content(run, content),
      await source.seen(run, lastSequence, index),
    );
    if ((await source.content(run, content)).kind === "text")
      answers.push(await source.blame(run, lastSequence, index));
  }
  for (const text of ["median", "delivery.js", "edit", "no such text"])
    answers.push(await source.search(run, text));
  answers.push(await source.search(run, "median", { limit: 3 }));
  return answers;
}

function sorted<T extends { readonly path: string }>(entries: readonly T[]): readonly T[] {
  return [...entries].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function withoutPlace(overview: RunOverview): unknown {
  return { ...overview, summary: { ...overview.summary, place: "" } };
}

it("the server and an exported page answer every question as the files do, also about subagents (IN-1, IN-2)", async () => {
  await using server = await InspectorServer.listen({ source: direct, page: PAGE });
  const http = httpSource({ base: server.origin, token: server.token });
  const { html } = await exportPage({
    ...{ files, runs: ["0"], page: PAGE, version: "1" },
    omit: { prompts: false, files: false },
  });
  const embedded = await embeddedSource(chunksOf(html));
  if (embedded === undefined) throw new Error("no data");
  const { children } = await direct.overview("0");
  expect(children).toHaveLength(2);
  for (const run of ["0", ...children.map((child) => child.run)]) {
    const expected = JSON.stringify(await askAll(direct, run));
    expect(JSON.parse(JSON.stringify(await askAll(http, run)))).toEqual(JSON.parse(expected));
    // A page that is sent to others does not have the directory of the files.
    const answers = JSON.stringify(await askAll(embedded, run));
    expect(answers).not.toContain(base);
    expect(JSON.parse(answers)).toEqual(
      JSON.parse(expected.replaceAll(join(base, "workspace"), "")),
    );
  }
});
