import { expect, it } from "vitest";
import { countCodeLines, isCounted } from "./count-code-lines.js";

it.each([
  ["", 0],
  ["\n  \n", 0],
  ["const a = 1;\n", 1],
  ["// only a comment\nconst a = 1; // and one after code\n", 1],
  ["/**\n * A comment.\n */\nexport const a = 1;\n", 1],
  ["const a = /* in between */ 1;\n/* before */ const b = 2;\n", 2],
  ["const text = `\n// not a comment\n\n`;\n", 3],
  ['const url = "https://example.com";\n', 1],
])("countCodeLines(%j) is %i", (source, lines) => {
  expect(countCodeLines("file.ts", source)).toBe(lines);
});

it.each([
  "packages/session/src/session.ts",
  "packages/filesystem/src/host.ts",
  "apps/cli/bin/wink.js",
])("isCounted takes %s", (file) => {
  expect(isCounted(file)).toBe(true);
});

it.each([
  "packages/session/README.md",
  "packages/session/src/session.test.ts",
  "packages/session/src/inference.test-d.ts",
  "packages/session/src/file/save-process.test-program.ts",
  "packages/tools/src/podman/rootless.test.program.ts",
  "packages/tools/src/files/workspace.test.support.ts",
  "packages/tools/src/files/workspace.support.ts",
  "packages/filesystem/src/host/driver/host-fixture.test.setup.ts",
  "packages/filesystem/src/testing/map-driver.test.support.ts",
  "packages/prompt/src/testing.ts",
  "packages/tools/fixtures/rust-project/build.js",
  "packages/session/dist/index.js",
  "scripts/test.ts",
  "examples/subagents/main.ts",
  "benchmarks/main.ts",
])("isCounted leaves out %s", (file) => {
  expect(isCounted(file)).toBe(false);
});
