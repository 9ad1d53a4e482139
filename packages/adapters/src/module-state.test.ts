import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const SOURCES = fileURLToPath(new URL(".", import.meta.url));

/** Top-level declarations that can hold state: `let`, and collections that are not read-only. */
const STATE =
  /^(?:export )?(?:let |(?:const \w+(?<type>[^=\n]*)= new (?:Weak)?(?:Map|Set|Ref)\b))/gm;

function stateIn(source: string): readonly string[] {
  return [...source.matchAll(STATE)]
    .filter(({ groups }) => !/: Readonly(?:Map|Set)</.test(groups?.["type"] ?? ""))
    .map(([line]) => line);
}

it("no module of the package has mutable state, so two runs share nothing (AD-70)", () => {
  const found = readdirSync(SOURCES, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.includes(".test"))
    .flatMap((path) =>
      stateIn(readFileSync(join(SOURCES, path), "utf8")).map((line) => `${path}: ${line}`),
    );
  expect(found).toEqual([]);
});

it.each([
  "let last = 0;",
  "export let last: number;",
  "const seen = new Set<string>();",
  "export const known: Map<string, number> = new Map();",
  "const journals = new WeakMap<object, string>();",
])("the check finds `%s` (AD-70)", (line) => {
  expect(stateIn(`import "./a.js";\n${line}\n`)).toHaveLength(1);
});

it.each([
  "const NOTHING: ReadonlySet<string> = new Set();",
  "const decoder = new TextDecoder();",
  "function make() {\n  let last = 0;\n  const seen = new Set();\n}",
])("the check allows `%s` (AD-70)", (source) => {
  expect(stateIn(source)).toEqual([]);
});
