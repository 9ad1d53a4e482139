import { expect, it } from "vitest";
import type { Project } from "../repository.js";
import { checkFolders } from "./folder-rules.js";
import { scanImports } from "./scan-imports.js";

const project: Project = {
  folder: "packages/session",
  manifest: {
    name: "@wink/session",
    exports: { ".": { types: { "@wink/source": "./src/index.ts" } }, "./b": "./src/b/index.ts" },
  },
};

it("folders that import each other fail, and both places are reported", () => {
  const files = {
    "a/x.ts": 'import "../b/y.js";',
    "b/y.ts": '\nimport type { X } from "../a/x.js";',
  };
  expect(check(files)).toEqual([
    [
      "packages/session/src: folders must depend in one direction, but a → b → a.",
      "  a → b: packages/session/src/a/x.ts:1",
      "  b → a: packages/session/src/b/y.ts:2",
    ].join("\n"),
  ]);
});

it("folders in a longer cycle fail", () => {
  const files = {
    "a/x.ts": 'import "../b/x.js";',
    "b/x.ts": 'import "../c/x.js";',
    "c/x.ts": 'import "../a/x.js";',
  };
  expect(check(files)[0]).toContain("but a → b → c → a.");
});

it("a folder and a folder inside it that import each other fail", () => {
  const files = { "a/x.ts": 'import "./deep/x.js";', "a/deep/x.ts": 'import "../x.js";' };
  expect(check(files)[0]).toContain("but a → a/deep → a.");
});

it("a file in src/ that is not an entry point fails", () => {
  expect(check({ "index.ts": 'export {} from "./loose.js";', "loose.ts": "" })).toEqual([
    "packages/session/src/loose.ts is not an entry point. Move it into a folder of src/.",
  ]);
});

it.each([
  { what: "one direction", files: { "a/x.ts": 'import "../b/y.js";', "b/y.ts": "" } },
  {
    what: "an entry point that imports a folder which imports its folder",
    files: { "b/index.ts": 'import "../a/x.js";', "a/x.ts": 'import "../b/y.js";', "b/y.ts": "" },
  },
  {
    what: "a test that imports against the direction",
    files: {
      "a/x.ts": 'import "../b/y.js";',
      "b/y.ts": "",
      "b/y.test.ts": 'import "../a/x.js";',
      "all.test.ts": "",
    },
  },
  { what: "other packages", files: { "a/x.ts": 'import "@wink/filesystem";' } },
])("$what passes", ({ files }) => {
  expect(check(files)).toEqual([]);
});

function check(files: Readonly<Record<string, string | undefined>>): readonly string[] {
  const sources = Object.entries(files).map(([name, text = ""]) => {
    const file = `${project.folder}/src/${name}`;
    return { file, project, isTest: name.includes(".test."), imports: scanImports(file, text) };
  });
  return checkFolders(project, sources);
}
