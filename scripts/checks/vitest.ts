import path from "node:path";
import type { Check, Outcome } from "../outcome.js";
import { root } from "../repository.js";
import { runCommand } from "../run-command.js";
import type { ReporterMessage, TestProgress, TestReport } from "../test-report.js";

const TIMEOUT_MS = 45 * 60_000;
const VITEST = path.join(root, "node_modules", "vitest", "vitest.mjs");
const REPORTER = path.join(root, "scripts", "brief-reporter.ts");

export const tests: Check = {
  name: "tests",
  promise: "the tests of all packages and scripts pass, in one run of vitest",
  usualSeconds: 455,

  async run(onProgress) {
    return await runVitest(["--config=scripts/vitest.config.ts"], onProgress);
  },
};

/** Runs vitest once. A failing file fails the run, because a retry would hide a flaky test. */
export async function runVitest(
  args: readonly string[],
  onProgress: (progress: string) => void,
): Promise<Outcome> {
  let report: TestReport | undefined;
  const { ok, output } = await runCommand(
    "node",
    [VITEST, "run", `--reporter=${REPORTER}`, ...args],
    {
      timeoutMs: TIMEOUT_MS,
      onMessage(message) {
        // The only sender is our own reporter.
        const received = message as ReporterMessage;
        if (received.progress !== undefined) onProgress(describeProgress(received.progress));
        report = received.report ?? report;
      },
    },
  );
  return judge(ok, output, report);
}

function judge(ok: boolean, output: string, report: TestReport | undefined): Outcome {
  // Without a report vitest crashed, even if its exit code is 0.
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

function describeProgress({ files, totalFiles, tests, failed }: TestProgress): string {
  return `${files}/${totalFiles} files, ${tests.toLocaleString("en")} tests, ${failed} failed`;
}

function explainSkips({ skipped, skipReasons }: TestReport): readonly string[] {
  if (skipped > 0 && skipReasons.length === 0)
    return [`skipped: ${skipped} tests, and none of them printed its reason`];
  const byReason = new Map<string, string[]>();
  for (const line of skipReasons) {
    const reason = line.slice(line.lastIndexOf(": ") + 2);
    byReason.set(reason, [...(byReason.get(reason) ?? []), line]);
  }
  return [...byReason].map(([reason, [line = "", ...others]]) =>
    others.length === 0 ? line : `skipped: ${others.length + 1} tests: ${reason}`,
  );
}

function describeSlowFile({ file, durationMs }: TestReport["slowFiles"][number]): string {
  return `slow: ${file} took ${(durationMs / 1000).toFixed(1)} s`;
}
