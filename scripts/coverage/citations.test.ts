import { expect, it } from "vitest";
import { findCitations, isTestFile } from "./citations.js";

// Numbers beyond the catalogue, so that this file proves none of its cases.
it.each([
  { source: 'it("removes the link only (A901, ZZ-12)", () => {});', ids: ["A901", "ZZ-12"] },
  { source: "it.each([{ id: 'B902' }])('$id', () => {});", ids: ["B902"] },
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text.
  { source: "it(`(C903) of ${name} [D904]`, () => {});", ids: ["C903", "D904"] },
  { source: "// A901\nconst A901 = 1;", ids: [] },
  { source: 'it("0xA901 A901b SHA-256x Z901", () => {});', ids: [] },
])("finds $ids in `$source`", ({ source, ids }) => {
  expect([...findCitations("a.test.ts", source)]).toEqual(ids);
});

it.each([
  { file: "packages/a/src/b.test.ts", isTest: true },
  { file: "packages/a/src/b.test-d.ts", isTest: true },
  { file: "packages/a/src/testing/contract.ts", isTest: true },
  { file: "packages/a/src/b.ts", isTest: false },
  { file: "benchmarks/b.test.ts", isTest: false },
])("knows whether $file is a test", ({ file, isTest }) => {
  expect(isTestFile(file)).toBe(isTest);
});
