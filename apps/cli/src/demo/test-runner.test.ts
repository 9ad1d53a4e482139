import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InMemoryFilesystem } from "@wink/filesystem";
import { expect, it, onTestFinished } from "vitest";
import { readTap } from "./test-report.js";
import { nodeRunner } from "./test-runner.js";

const test = (body: string) => `
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
test("it", () => { ${body} });
`;

async function run(body: string) {
  const filesystem = new InMemoryFilesystem({
    files: { "package.json": '{ "type": "module" }', "it.test.js": test(body) },
  });
  return await nodeRunner.run(filesystem, "it.test.js", new AbortController().signal);
}

it("runs tests on a copy of the workspace (CL-11)", async () => {
  expect(await run("assert.equal(1, 1)")).toEqual({ passed: 1, failed: 0, failures: [] });
  expect(await run("assert.equal(2, 1)")).toEqual({
    passed: 0,
    failed: 1,
    failures: ["it: expected 1, got 2"],
  });
});

it.each([
  ["write", "writeFileSync(process.argv[1] + '.txt', '')"],
  ["start programs", "execFileSync(process.execPath, ['--version'])"],
])("lets tests %s nowhere (CL-11)", async (_, body) => {
  expect(await run(body)).toEqual({ passed: 0, failed: 1, failures: ["it"] });
});

it("lets tests read nothing but the copy, and see no environment (CL-11)", async () => {
  const folder = mkdtempSync(join(tmpdir(), "wink-secret-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const secret = join(folder, "secret.txt");
  writeFileSync(secret, "secret");
  const body = (path: string) => `readFileSync(${path})`;
  expect(await run(body(JSON.stringify(secret)))).toMatchObject({ failed: 1 });
  expect(await run(body("process.argv[1]"))).toMatchObject({ passed: 1 });
  expect(await run("assert.deepEqual(Object.keys(process.env), [])")).toMatchObject({ passed: 1 });
});

it("says why tests do not load, without a place on this machine", () => {
  const stderr =
    "file:///home/ada/x.js:1\n\nSyntaxError: no export named 'a'\n    at /home/ada/x.js";
  expect(readTap("", stderr)).toEqual({
    passed: 0,
    failed: 1,
    failures: ["the tests do not load: SyntaxError: no export named 'a'"],
  });
});
