import { expect, it } from "vitest";
import { RunFiles } from "../node.js";
import { buildRows, type RowOptions, rowName } from "../view/list/rows.js";
import { RunIndex } from "../view/list/run-index.js";
import { firstSelection, parseAt, select, spanOf } from "../view/list/selection.js";
import { stripTurns } from "../view/strip/strip-geometry.js";
import { scratch } from "./exported-page.test.support.js";
import { recordShowcase } from "./record-showcase.test.support.js";

const DEFAULT: RowOptions = {
  ...{ only: [], toggled: new Set(), openAll: false, childOf: () => undefined },
};

it("every event of a run is one row, filters keep the turns of what they show, and spans fit (IN-22, IN-24)", async () => {
  using directory = scratch();
  using files = new RunFiles({ runs: [await recordShowcase(directory.path)], open: 0 });
  const overview = await files.source.overview("0");
  const index = new RunIndex(overview);
  const children = new Map<string, RunIndex>();
  for (const { run } of overview.children)
    children.set(run, new RunIndex(await files.source.overview(run)));
  const childOf = (run: string) => children.get(run);
  const rowsOf = (options: Partial<RowOptions>) =>
    buildRows(index, "0", { ...DEFAULT, childOf, ...options });

  const all = rowsOf({ openAll: true });
  const events = all.filter(({ kind, run }) => kind === "event" && run === "0");
  expect(events.map((row) => row.index).toSorted((one, two) => one - two)).toEqual(
    Array.from({ length: overview.lastSequence }, (_, at) => at + 1),
  );
  expect(new Set(all.map((row) => rowName(row, "0"))).size).toBe(all.length);
  expect(all.some(({ run, depth }) => run !== "0" && depth >= 2)).toBe(true);

  const undone = rowsOf({ only: ["undone"] });
  const names = undone.map(({ kind, run, index: at }) =>
    kind === "call" && run === "0" ? overview.calls[at]?.tool : kind,
  );
  expect(names.slice(0, 2)).toEqual(["turn", "replace_everywhere"]);
  expect(names).not.toContain("edit_file");
  expect(rowsOf({ toggled: new Set(["t0"]) }).length).toBe(rowsOf({}).length - 2);

  const first = select(index, parseAt(firstSelection(index), "0"));
  expect(first.call?.tool).toBe("replace_everywhere");
  const start = first.call?.start ?? 0;
  const end = first.call?.end ?? 0;
  const route = { range: "call", a: undefined, b: undefined, tab: "changes" } as const;
  expect(spanOf(first, route)).toEqual({ a: end - 1, b: end });
  expect(spanOf(first, { ...route, tab: "state" })).toEqual({ a: start - 1, b: end });
  expect(spanOf(first, { ...route, range: "start" })).toEqual({ a: 0, b: end });

  const turns = stripTurns(overview);
  expect(turns).toHaveLength(overview.turns.length);
  expect(turns.reduce((sum, { width }) => sum + width, 0)).toBeCloseTo(1);
  expect(turns.flatMap(({ parts }) => parts).some(({ kind }) => kind === "undone")).toBe(true);
  expect(turns.at(-1)?.used).toBeGreaterThan(0.2);
});
