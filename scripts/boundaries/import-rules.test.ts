import { expect, it } from "vitest";
import type { Manifest, Project } from "../repository.js";
import { checkImports } from "./import-rules.js";
import { scanImports } from "./scan-imports.js";

const rootManifest: Manifest = {
  name: "wink",
  devDependencies: { vitest: "1", "@wink/prompt": "1" },
};
const session = project("packages/session", { name: "@wink/session", exports: { ".": {} } });
const filesystem = project("packages/filesystem", {
  name: "@wink/filesystem",
  exports: { ".": {} },
});
const prompt = project("packages/prompt", {
  name: "@wink/prompt",
  exports: { ".": {} },
  dependencies: { "@wink/session": "1", "@wink/filesystem": "1" },
  peerDependencies: { zod: "4" },
  devDependencies: { "fast-check": "4" },
  imports: { "#page/text": {} },
});

it.each([
  'import { Session } from "@wink/session";',
  'import { z } from "zod";',
  'import { readFile } from "node:fs/promises";',
  'import { other } from "./other.js";',
  'import { text } from "#page/text";',
])("lets a source of prompt say `%s`", (line) => {
  expect(check(prompt, "src/a.ts", line)).toEqual([]);
});

it.each([
  {
    line: 'import type { A } from "@wink/session/internal";',
    problem: "@wink/session/internal, but session exports: ..",
  },
  {
    line: 'import { a } from "../../session/src/a.js";',
    problem: "../../session/src/a.js, which lies outside packages/prompt.",
  },
  {
    line: 'import { a } from "#page/other";',
    problem: '#page/other, which "imports" of packages/prompt/package.json does not have.',
  },
  {
    line: 'import fc from "fast-check";',
    problem: "fast-check, which packages/prompt/package.json does not declare.",
  },
  {
    line: 'import { a } from "@wink/prompt";',
    problem: "@wink/prompt, its own package; use a relative path.",
  },
])("refuses `$line` in a source of prompt", ({ line, problem }) => {
  expect(check(prompt, "src/a.ts", `\n${line}`)).toEqual([
    `packages/prompt/src/a.ts:2 imports ${problem}`,
  ]);
});

it("checkImports refuses Node modules in folders that also run in a browser (IN-9)", () => {
  const inspector = project("apps/inspector", { name: "@wink/inspector", private: true });
  const line = 'import { readFile } from "node:fs/promises";';
  expect(check(inspector, "src/node/x.ts", line)).toEqual([]);
  expect(check(inspector, "src/model/x.ts", line)).toEqual([
    "apps/inspector/src/model/x.ts:1 imports node:fs/promises, but apps/inspector/src/model also runs in a browser. See browserFolders in the table.",
  ]);
});

it("checkImports names the allowed packages when an import is not allowed", () => {
  expect(check(session, "src/x.ts", 'import { Prompt } from "@wink/prompt";')).toEqual([
    "packages/session/src/x.ts:1 imports @wink/prompt, but session may import: filesystem.",
  ]);
});

it.each([
  'import { Session } from "@wink/session";',
  'import fc from "fast-check";',
  'import { it } from "vitest";',
])("lets a test of prompt say `%s`", (line) => {
  expect(check(prompt, "src/a.test.ts", line)).toEqual([]);
});

it("checkImports applies the same rules to tests, whatever the root has installed", () => {
  expect(check(session, "src/a.test.ts", 'import { Prompt } from "@wink/prompt";')).toEqual([
    "packages/session/src/a.test.ts:1 imports @wink/prompt, but session may import: filesystem.",
  ]);
});

function check(project: Project, name: string, text: string): readonly string[] {
  const file = `${project.folder}/${name}`;
  const imports = scanImports(file, text);
  const source = { file, project, imports, isTest: name.includes(".test.") };
  return checkImports(source, [session, filesystem, prompt], rootManifest);
}

function project(folder: string, manifest: Manifest): Project {
  return { folder, manifest };
}

it("refuses node:fs in a file of the command line that the table does not list", () => {
  const cli = project("apps/cli", { name: "@wink/cli" });
  const line = 'import { readFile } from "node:fs/promises";';
  expect(check(cli, "src/run/new.ts", line)).toEqual([
    "apps/cli/src/run/new.ts:1 imports node:fs/promises, but files are the libraries' work. List it in filesOfCli with the reason.",
  ]);
  expect(check(cli, "src/terminal/manifest.ts", line)).toEqual([]);
});
