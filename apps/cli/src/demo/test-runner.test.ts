import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InMemoryFilesystem } from "@wink/filesystem";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { isThere } from "../workspace/has-component.test.support.js";
import { findContainerRunner } from "./container-runner.js";
import { readTap } from "./test-report.js";
import { nodeRunner, type TestRunner } from "./test-runner.js";

// Starting a process can take many seconds on a busy machine.
vi.setConfig({ testTimeout: 300_000 });

const test = (body: string) => `
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
test("it", () => { ${body} });
`;

async function run(runner: TestRunner, body: string) {
  const filesystem = new InMemoryFilesystem({
    files: { "package.json": '{ "type": "module" }', "it.test.js": test(body) },
  });
  return await runner.run(filesystem, "it.test.js", new AbortController().signal);
}

const container = await findContainerRunner();
isThere(
  container !== undefined,
  "tests in a container need Podman and an image for it; run scripts/images/build.sh --small",
);

describe.each([
  { where: "a process", runner: nodeRunner },
  ...(container === undefined ? [] : [{ where: "a container", runner: container }]),
])("in $where", ({ runner }) => {
  it("tests run on a copy of the workspace (CL-11)", async () => {
    expect(await run(runner, "assert.equal(1, 1)")).toEqual({
      passed: 1,
      failed: 0,
      failures: [],
    });
    expect(await run(runner, "assert.equal(2, 1)")).toEqual({
      passed: 0,
      failed: 1,
      failures: ["it: expected 1, got 2"],
    });
  });

  it("tests cannot write files (CL-11)", async () => {
    const body = "writeFileSync(process.argv[1] + '.txt', '')";
    expect(await run(runner, body)).toEqual({ passed: 0, failed: 1, failures: ["it"] });
  });

  it("tests cannot read other files or the environment of this machine (CL-11)", async () => {
    const folder = mkdtempSync(join(tmpdir(), "wink-secret-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const secret = join(folder, "secret.txt");
    writeFileSync(secret, "secret");
    const read = (path: string) => run(runner, `readFileSync(${path})`);
    expect(await read(JSON.stringify(secret))).toMatchObject({ failed: 1 });
    expect(await read("process.argv[1]")).toMatchObject({ passed: 1 });
    process.env["WINK_TEST_SECRET"] = "secret";
    onTestFinished(() => void delete process.env["WINK_TEST_SECRET"]);
    const look = "assert.equal(process.env.WINK_TEST_SECRET, undefined)";
    expect(await run(runner, look)).toMatchObject({ passed: 1 });
  });
});

it("tests in a process cannot start other programs (CL-11)", async () => {
  const body = "execFileSync(process.execPath, ['--version'])";
  expect(await run(nodeRunner, body)).toEqual({ passed: 0, failed: 1, failures: ["it"] });
});

it("readTap reports why tests do not load, without a path of this machine", () => {
  const stderr =
    "file:///home/ada/x.js:1\n\nSyntaxError: no export named 'a'\n    at /home/ada/x.js";
  expect(readTap("", stderr)).toEqual({
    passed: 0,
    failed: 1,
    failures: ["the tests do not load: SyntaxError: no export named 'a'"],
  });
});
