import { expect, it } from "vitest";
import type { SectionView } from "../../model/run-views.js";
import { compareSections } from "./compare-sections.js";

const section = (path: string, text: string): SectionView => ({
  ...{ path, title: path, visibility: "full", start: 0, end: text.length, text },
});

it("sections are compared by path", () => {
  const before = [section("task", "Do it."), section("plan", "1"), section("old", "x")];
  const after = [section("task", "Do it."), section("plan", "2"), section("new", "y")];
  expect(compareSections(before, after).map(({ path, change }) => `${path} ${change}`)).toEqual([
    ...["task same", "plan changed", "new new", "old gone"],
  ]);
  expect(compareSections(undefined, after).every(({ change }) => change === "shown")).toBe(true);
});
