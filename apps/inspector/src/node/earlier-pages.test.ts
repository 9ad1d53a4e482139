import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { openPage } from "./open-page.js";

const folder = fileURLToPath(new URL("../../../../specs/fixtures/inspector", import.meta.url));

it.each(readdirSync(folder))(
  "the page %s of an earlier version opens, and all its parts answer (IN-17)",
  async (name) => {
    const source = await openPage(`${folder}/${name}`);
    const { runs, open, contents } = await source.info();
    expect(contents).toMatchObject({ runs: 3, prompts: true, files: true });
    expect([runs.length, open]).toEqual([1, "0"]);
    const { lastSequence, calls, turns, children, firstProblem } = await source.overview("0");
    expect([turns.length, children.length]).toEqual([10, 2]);
    expect(calls.filter(({ undone }) => undone !== null).map(({ end }) => end)).toEqual([
      firstProblem,
    ]);
    expect(await source.events("0", 1, lastSequence)).toHaveLength(lastSequence);
    for (let event = 0; event <= lastSequence; event++) {
      expect((await source.tree("0", { event })).entries.length).toBeGreaterThan(8);
      expect((await source.state("0", event)).slices.length).toBeGreaterThan(0);
      await source.messages("0", event, 0, 200);
    }
    for (const { index } of turns)
      expect((await source.prompt("0", index)).sections).toHaveLength(5);
    for (const { index } of calls) expect((await source.call("0", index)).answer).not.toBeNull();
    const { entries } = await source.tree("0", { event: lastSequence });
    const { ranges } = await source.blame(
      "0",
      lastSequence,
      entries.findIndex(({ path }) => path === "src/delivery.js"),
    );
    expect(ranges.map(({ from, to }) => [from, to])).toEqual([
      [1, 2],
      [3, 3],
      [4, 10],
    ]);
    expect((await source.search("0", "median")).hits.length).toBeGreaterThan(10);
  },
);
