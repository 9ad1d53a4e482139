import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Check, Outcome } from "../outcome.js";
import { runCommand } from "../run-command.js";
import { makeScratchFolder } from "../scratch-folder.js";
import { REPORT_VARIABLE, type TestReport } from "../test-report.js";

const TIMEOUT_MS = 20 * 60_000;

export const tests: Check = {
  name: "tests",
  promise: "the tests of all packages and scripts pass, in one run of vitest",

  async run() {
    await using folder = await makeScratchFolder("vitest");
    const file = path.join(folder.path, "report.json");
    const args = [
      "run",
      "--config=scripts/vitest.config.ts",
      "--reporter=./scripts/brief-reporter.ts",
    ];
    const { ok, output } = await runCommand("vitest", args, {
      env: { [REPORT_VARIABLE]: file },
      timeoutMs: TIMEOUT_MS,
    });
    return judge(ok, output, await readReport(file));
  },
};

function judge(ok: boolean, output: string, report: TestReport | undefined): Outcome {
  // Without a report vitest died before its end, whatever its exit code says.
  if (report === undefined)
    return { passed: 0, failed: 1, skipped: 0, failures: [output.trim()], notes: [] };
  const failed = ok ? 0 : Math.max(report.failed, 1);
  return {
    passed: report.passed,
    failed,
    skipped: report.skipped,
    failures: failed > 0 ? [output.trim()] : [],
    notes: [...explainSkips(report), ...report.slowFiles.map(describeSlowFile)],
  };
}

function explainSkips({ skipped, skipReasons }: TestReport): readonly string[] {
  if (skipped === 0 || skipReasons.length > 0) return skipReasons;
  return [`skipped: ${skipped} tests, and none of them printed its reason`];
}

function describeSlowFile({ file, durationMs }: TestReport["slowFiles"][number]): string {
  return `slow: ${file} took ${(durationMs / 1000).toFixed(1)} s`;
}

async function readReport(file: string): Promise<TestReport | undefined> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  // Written by the reporter a moment ago.
  return text === undefined ? undefined : (JSON.parse(text) as TestReport);
}
