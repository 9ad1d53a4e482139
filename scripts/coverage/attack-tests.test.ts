import { basename } from "node:path";
import { expect, it } from "vitest";
import { listFiles, readText } from "../repository.js";
import { findCitations } from "./citations.js";

const PAGE = "specs/threat-model.md";
/** `- **TM-1** …` and `| SN-8, SN-25 | … |`. */
const ROW = /^(?:- \*\*([A-Z]{2}-\d+)\*\*|\| ((?:[A-Z]{2}-\d+(?:, | to | \|))+))/;

/** The promises of a line, and the test files that the line names. */
function readRow(line: string): {
  readonly ids: readonly string[];
  readonly files: readonly string[];
} {
  const [, item, cell = ""] = ROW.exec(line) ?? [];
  const ids = item === undefined ? (cell.match(/[A-Z]{2}-\d+/g) ?? []) : [item];
  return { ids, files: [...line.matchAll(/`([\w-]+\.test\.ts)`/g)].map(([, name = ""]) => name) };
}

const rows = readText(PAGE).split("\n").map(readRow);
const promises = rows.filter(({ ids }) => ids.length > 0);
const tests = (await listFiles()).filter((file) => file.endsWith(".test.ts"));

it("every promise of the threat model names its attack test", () => {
  expect(promises.length).toBeGreaterThan(25);
  expect(promises.filter(({ files }) => files.length === 0)).toEqual([]);
});

it.each(rows.flatMap(({ files }) => files).filter((name, at, all) => all.indexOf(name) === at))(
  "the threat model names the test %s, which exists",
  (name) => {
    expect(tests.some((file) => basename(file) === name)).toBe(true);
  },
);

it.each(promises)(
  "a test that the threat model names for $ids quotes one of them",
  ({ ids, files }) => {
    const named = tests.filter((file) => files.includes(basename(file)));
    const quoted = new Set(named.flatMap((file) => [...findCitations(file, readText(file))]));
    expect(ids.some((id) => quoted.has(id))).toBe(true);
  },
);
