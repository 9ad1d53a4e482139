import { expect, it } from "vitest";
import type { Project } from "../repository.js";
import { checkRootEntry } from "./root-entry.js";
import { scanImports } from "./scan-imports.js";

const project: Project = { folder: "packages/filesystem", manifest: { name: "@wink/filesystem" } };

it("checkRootEntry finds a Node module that the root entry loads and reports the import chain", () => {
  expect(
    check({
      "index.ts": 'export { a } from "./a.js";',
      "a.ts": 'import { b } from "./deep/b.js";',
      "deep/b.ts": '\nimport { readFile } from "node:fs/promises";',
    }),
  ).toEqual([
    "packages/filesystem/src/deep/b.ts:2 imports node:fs/promises, which the root entry must not load (index.ts → a.ts → deep/b.ts).",
  ]);
});

it("checkRootEntry finds a dependency that belongs at a subpath", () => {
  expect(check({ "index.ts": 'import { rgPath } from "@vscode/ripgrep";' })).toEqual([
    "packages/filesystem/src/index.ts:1 imports @vscode/ripgrep, which the root entry must not load (index.ts).",
  ]);
});

it.each([
  { name: "session", specifier: "@wink/filesystem/host" },
  { name: "tools", specifier: "@wink/filesystem/host" },
])("checkRootEntry refuses $specifier in the root entry of $name", ({ name, specifier }) => {
  const other = { folder: `packages/${name}`, manifest: { name: `@wink/${name}` } };
  expect(check({ "index.ts": `import { a } from "${specifier}";` }, other)).toEqual([
    `packages/${name}/src/index.ts:1 imports ${specifier}, which the root entry must not load (index.ts).`,
  ]);
});

it("checkRootEntry ends when files import each other", () => {
  expect(check({ "index.ts": 'import "./a.js";', "a.ts": 'import "./index.js";' })).toEqual([]);
});

it.each([
  { why: "reached as a type", line: 'import type { A } from "./host.js";' },
  { why: "loaded when asked for", line: 'const host = await import("./host.js");' },
  { why: "not reached", line: "export {};" },
])("checkRootEntry accepts a module that is $why", ({ line }) => {
  expect(check({ "index.ts": line, "host.ts": 'import "node:fs";' })).toEqual([]);
});

function check(files: Readonly<Record<string, string>>, of = project): readonly string[] {
  const sources = Object.entries(files).map(([name, text]) => {
    const file = `${of.folder}/src/${name}`;
    return { file, project: of, isTest: false, imports: scanImports(file, text) };
  });
  return checkRootEntry(of, sources);
}
