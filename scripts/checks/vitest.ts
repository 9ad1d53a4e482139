import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Check, Outcome } from "../outcome.js";
import { runCommand } from "../run-command.js";
import { makeScratchFolder } from "../scratch-folder.js";
import { REPORT_VARIABLE, type TestReport } from "../test-report.js";

const TIMEOUT_MS = 45 * 60_000;

/** More than these, and it is the change that is at fault. */
const MAX_FILES_AGAIN = 5;

export const tests: Check = {
  name: "tests",
  promise: "the tests of all packages and scripts pass, in one run of vitest",

  async run() {
    const first = await runVitest([]);
    const files = first.report?.failedFiles ?? [];
    if (files.length === 0 || files.length > MAX_FILES_AGAIN) return judge(first);
    // Several files at a time share few cores. A failure that is one also shows when its file has
    // them to itself; one that does not is reported, because its test is at fault.
    const again = await runVitest(["--maxWorkers=1", ...files]);
    return judgeBoth(first, again);
  },
};

interface VitestRun {
  readonly ok: boolean;
  readonly output: string;
  /** What the reporter counted; nothing when vitest died before its end. */
  readonly report: TestReport | undefined;
}

async function runVitest(extra: readonly string[]): Promise<VitestRun> {
  await using folder = await makeScratchFolder("vitest");
  const file = path.join(folder.path, "report.json");
  const args = [
    "run",
    "--config=scripts/vitest.config.ts",
    "--reporter=./scripts/brief-reporter.ts",
    ...extra,
  ];
  const { ok, output } = await runCommand("vitest", args, {
    env: { [REPORT_VARIABLE]: file },
    timeoutMs: TIMEOUT_MS,
  });
  return { ok, output, report: await readReport(file) };
}

function judge({ ok, output, report }: VitestRun): Outcome {
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

/** The first run's counts with the second's verdict on the files that failed. */
function judgeBoth(first: VitestRun, again: VitestRun): Outcome {
  const { passed, failed, skipped, notes } = judge(first);
  const second = judge(again);
  if (second.failed > 0) return { ...judge(first), failed: Math.max(failed, second.failed) };
  const names = first.report?.failedFiles.join(", ");
  const unsteady = `unsteady: ${names} failed beside other files and passed alone:`;
  return {
    passed: passed + failed,
    failed: 0,
    skipped,
    failures: [],
    notes: [...notes, unsteady, first.output.trim()],
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
