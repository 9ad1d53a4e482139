import { expect, it } from "vitest";
import { scanImports } from "./scan-imports.js";

it.each([
  { source: 'import { a } from "x";', kind: "value" },
  { source: 'import "x";', kind: "value" },
  { source: 'import * as a from "x";', kind: "value" },
  { source: 'export { a } from "x";', kind: "value" },
  { source: 'export * from "x";', kind: "value" },
  { source: 'import { type A } from "x";', kind: "value" },
  { source: 'import type { A } from "x";', kind: "type" },
  { source: 'export type { A } from "x";', kind: "type" },
  { source: 'export type * from "x";', kind: "type" },
  { source: 'type A = import("x").A;', kind: "type" },
  { source: 'const a = await import("x");', kind: "lazy" },
] as const)("takes `$source` as a $kind import", ({ source, kind }) => {
  expect(scanImports("file.ts", source)).toEqual([{ specifier: "x", line: 1, kind }]);
});

it.each([
  '// import { a } from "x";',
  "const text = 'import { a } from \"x\"';",
  "const a = await import(name);",
  "export const a = 1;",
])("sees no import in `%s`", (source) => {
  expect(scanImports("file.ts", source)).toEqual([]);
});

it("scanImports returns imports in source order with their line numbers", () => {
  const source = 'import "a";\n\nconst b = await import("b");\nimport {\n  c,\n} from "c";\n';
  expect(scanImports("file.ts", source)).toEqual([
    { specifier: "a", line: 1, kind: "value" },
    { specifier: "b", line: 3, kind: "lazy" },
    { specifier: "c", line: 6, kind: "value" },
  ]);
});
