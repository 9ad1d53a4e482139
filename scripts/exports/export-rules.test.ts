import { expect, it } from "vitest";
import type { EntryPoint } from "./entry-points.js";
import { checkBudget, findAmbiguousNames } from "./export-rules.js";
import { findLeaks } from "./leak-rules.js";
import { listExports } from "./list-exports.js";
import { ModuleGraph } from "./module-graph.js";

it("listExports follows lists, renames and stars to the declaration", () => {
  const { names } = read({
    "a.d.ts": `
      export { b, type B, C as D } from "./b.js";
      export * from "./star.js";
      export type { Schema } from "zod";
      import { local } from "./b.js";
      export { local };
      export interface Own {}`,
    "b.d.ts": `
      export declare const b: number, local: string;
      export interface B {}
      export declare class C {}`,
    "star.d.ts": "export type Star = 1;",
  });
  expect(names.map(({ name, origin }) => [name, origin.file, origin.name, origin.isType])).toEqual([
    ["Star", "star.d.ts", "Star", true],
    ["local", "b.d.ts", "local", false],
    ["Own", "a.d.ts", "Own", true],
    ["b", "b.d.ts", "b", false],
    ["B", "b.d.ts", "B", true],
    ["D", "b.d.ts", "C", false],
    ["Schema", "zod", "Schema", true],
  ]);
});

it("checkBudget reports an entry point over its budget, one without a budget, and a budget without an entry point", () => {
  const { names } = read({ "a.d.ts": "export type A = 1; export type B = 2;" });
  expect(checkBudget(names, { "@wink/a": 2 })).toEqual([]);
  expect(checkBudget(names, { "@wink/a": 1 })).toEqual([
    "@wink/a exports 2 names, and its budget is 1. Export less, or raise the budget with a reason.",
  ]);
  expect(checkBudget(names, { "@wink/b": 1 })).toEqual([
    "@wink/a has no budget. Add it to scripts/exports/budget.ts.",
    "scripts/exports/budget.ts: @wink/b is not an entry point.",
  ]);
});

it("findAmbiguousNames finds a name with two declarations, but not one declaration that is exported twice", () => {
  const { names } = read(
    {
      "a.d.ts": 'export type Usage = 1; export type { Same } from "./same.js";',
      "b.d.ts": 'export type Usage = 2; export type { Same } from "./same.js";',
      "same.d.ts": "export type Same = 1;",
    },
    ["a", "b"],
  );
  expect([...findAmbiguousNames(names)]).toEqual([["Usage", ["@wink/a", "@wink/b"]]]);
});

it.each([
  ["a type of the same module", "interface Hidden {} export interface A { x: Hidden }", ["Hidden"]],
  ["an imported type", 'import { H } from "./h.js"; export type A = H[];', ["H"]],
  ["a member of a module", 'import * as h from "./h.js"; export type A = h.H;', ["H"]],
  ["an import type", 'export declare const a: import("./h.js").H;', ["H"]],
  ["a base class", "declare class Base {} export declare class A extends Base {}", ["Base"]],
  ["a base interface", "interface Base {} export interface A extends Base {}", ["Base"]],
  ["an exported type", "export interface B {} export interface A { x: B }", []],
  ["a type parameter", "export type A<H> = H[];", []],
  ["a global", "export type A = Promise<Uint8Array>;", []],
  ["a type of another package", 'import type { Z } from "zod"; export type A = Z;', []],
  ["a type that no export uses", "interface Hidden {} export type A = 1;", []],
])("findLeaks judges %s", (_, text, leaked) => {
  const { graph, names } = read({ "a.d.ts": text, "h.d.ts": "export interface H {}" });
  expect(findLeaks(graph, names).map(({ name }) => name)).toEqual(leaked);
});

/** Entry points `@wink/a` for `a.d.ts` and so on. */
function read(files: Readonly<Record<string, string>>, entries: readonly string[] = ["a"]) {
  const entryPoints: readonly EntryPoint[] = entries.map((entry) => ({
    specifier: `@wink/${entry}`,
    packageName: `@wink/${entry}`,
    file: `${entry}.d.ts`,
  }));
  const graph = new ModuleGraph({
    read: (file) => files[file] ?? "",
    resolve: (_, specifier) =>
      specifier.startsWith("./") ? specifier.slice(2).replace(/\.js$/, ".d.ts") : undefined,
  });
  return { graph, names: listExports(graph, entryPoints) };
}
