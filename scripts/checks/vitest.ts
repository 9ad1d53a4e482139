import { readFile, rm } from "node:fs/promises";
import type { Check } from "../outcome.js";
import { runCommand } from "../run-command.js";
import { REPORT, type TestReport } from "../test-report.js";

export const tests: Check = {
  name: "tests",
  promise: "the tests of all packages and scripts pass, in one run of vitest",

  async run() {
    await rm(REPORT, { force: true });
    const { ok, output } = await runCommand("vitest", [
      "run",
      "--config=scripts/vitest.config.ts",
      "--reporter=./scripts/brief-reporter.ts",
    ]);
    const report = await readReport();
    const failed = ok ? 0 : Math.max(report?.failed ?? 1, 1);
    return {
      passed: report?.passed ?? 0,
      failed,
      skipped: report?.skipped ?? 0,
      failures: failed > 0 ? [output.trim()] : [],
      notes: [
        ...explainSkips(report),
        ...(report?.slowFiles ?? []).map(
          ({ file, durationMs }) => `slow: ${file} took ${(durationMs / 1000).toFixed(1)} s`,
        ),
      ],
    };
  },
};

function explainSkips(report: TestReport | undefined): readonly string[] {
  if (report === undefined || report.skipped === 0) return [];
  return report.skipReasons.length > 0
    ? report.skipReasons
    : [`skipped: ${report.skipped} tests, and none of them printed its reason`];
}

/** Nothing when vitest died before its end. */
async function readReport(): Promise<TestReport | undefined> {
  const text = await readFile(REPORT, "utf8").catch(() => undefined);
  // Written by the reporter a moment ago.
  return text === undefined ? undefined : (JSON.parse(text) as TestReport);
}
