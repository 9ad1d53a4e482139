import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { expectTranscript } from "../terminal/transcript.test.support.js";
import { runWink } from "../workspace/wink-process.test.support.js";
import type { DemoReport } from "./demo-report.js";

// Starting a process can take many seconds on a busy machine.
vi.setConfig({ testTimeout: 300_000 });

/** A temporary directory for the demo, so that the test can check that nothing is left in it. */
async function scratch(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "wink-demo-test-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

it("wink demo prints its story in 80 columns, without colour in a pipe, and leaves no files (CL-5, CL-8, CL-10)", async () => {
  const temporary = await scratch();
  const { exitCode, stdout, stderr } = await runWink(["demo", "--no-container"], {
    cwd: temporary,
    env: { TMPDIR: temporary, TSX_DISABLE_CACHE: "1" },
  });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(stdout.split("\n").filter((line) => [...line].length > 80)).toEqual([]);
  expect(await readdir(temporary)).toEqual([]);
  expectTranscript("demo", stdout);
});

it("wink demo works on a machine without git: one rollback, the project untouched, the copy repaired (CL-4, CL-8, CL-9)", async () => {
  const temporary = await scratch();
  const { exitCode, stdout, stderr } = await runWink(["demo", "--json"], {
    cwd: temporary,
    env: { TMPDIR: temporary, PATH: temporary, FORCE_COLOR: "1" },
  });
  expect(exitCode).toBe(0);
  const report = JSON.parse(stdout) as DemoReport;
  expect(report.model).toBe("scripted");
  expect(report.calls.filter(({ rolledBack }) => rolledBack)).toEqual([
    { tool: "replace_everywhere", success: false, rolledBack: true },
  ]);
  expect(report.host).toEqual({ ...report.host, after: report.host.before, untouched: true });
  expect(report.snapshots).toEqual(["tests-pass"]);
  expect(report.output.findings.map(({ file, line }) => `${file}:${line}`)).toEqual([
    "src/delivery.js:3",
    "src/delivery.js:3",
  ]);
  expect(report.patch).toContain("+  const sorted = [...days].sort((a, b) => a - b);");
  expect(report.copy).toEqual({
    appliedBy: "copying the changed files",
    tests: { passed: 4, failed: 0, failures: [] },
  });
  // `FORCE_COLOR` is set, and the story went to stderr.
  expect(stderr).toContain("\u001b[32m✓");
});
