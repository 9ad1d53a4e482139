import path from "node:path";
import type { Check, Outcome } from "../outcome.js";
import { root } from "../repository.js";
import { runCommand } from "../run-command.js";
import type { ReporterMessage, TestProgress, TestReport } from "../test-report.js";

const TIMEOUT_MS = 45 * 60_000;
/** Longer than the longest limit of one test. */
const SILENCE_MS = 12 * 60_000;
/** The number of unfinished files that the progress names. */
const LAST_FILES = 2;
const VITEST = path.join(root, "node_modules", "vitest", "vitest.mjs");
const REPORTER = path.join(root, "scripts", "brief-reporter.ts");

/** Test files that take long and repeat what shorter ones show. Only CI runs them. */
const FOR_CI = [
  "apps/inspector/src/browser-tests/exported-page.test.ts",
  "apps/inspector/src/browser-tests/hostile-page.test.ts",
  // The check of the examples runs these too.
  "examples/custom-backend/json-file-driver.test.ts",
  "examples/key-value-store/directory-storage.test.ts",
  "packages/adapters/src/mcp/inspector.test.ts",
  "packages/filesystem/src/host/snapshots/no-processes.test.ts",
  "packages/workspace/src/workspace/large-files.test.ts",
  "scripts/checks/vitest.test.ts",
  "scripts/documentation/mastra-guide.test.ts",
  "scripts/editor/probe-editor.test.ts",
];

export const tests: Check = {
  name: "tests",
  promise: "the tests of all packages and scripts pass, in one run of vitest",
  usualSeconds: 350,

  async run(onProgress) {
    const left = process.env["WINK_MORE_ROUNDS"] === undefined ? FOR_CI : [];
    process.env["WINK_TESTS_LEFT_OUT"] = left.join(",");
    const outcome = await runVitest(["--config=scripts/vitest.config.ts"], onProgress);
    const notes = left.map((file) => `only in CI, or with WINK_MORE_ROUNDS=1: ${file}`);
    return { ...outcome, notes: [...outcome.notes, ...notes] };
  },
};

export interface VitestOptions {
  /** Without any result for this long, the run ends and counts as failed. @default 12 minutes */
  readonly silenceMs?: number;
}

/** Runs vitest once. A failing file fails the run, because a retry would hide a flaky test. */
export async function runVitest(
  args: readonly string[],
  onProgress: (progress: string) => void,
  { silenceMs = SILENCE_MS }: VitestOptions = {},
): Promise<Outcome> {
  const stop = new AbortController();
  const silence = setTimeout(() => stop.abort(), silenceMs);
  const failures: string[] = [];
  let report: TestReport | undefined;
  let running: readonly string[] = [];
  const { ok, output } = await runCommand(
    "node",
    [VITEST, "run", `--reporter=${REPORTER}`, ...args],
    {
      timeoutMs: TIMEOUT_MS,
      signal: stop.signal,
      onMessage(message) {
        silence.refresh();
        // The only sender is our own reporter.
        const received = message as ReporterMessage;
        if (received.progress !== undefined) onProgress(describeProgress(received.progress));
        if (received.failure !== undefined) failures.push(received.failure);
        running = received.progress?.running ?? running;
        report = received.report ?? report;
      },
    },
  );
  clearTimeout(silence);
  if (report !== undefined) return judge(ok, output, report);
  // Without a report vitest crashed or hung, even if its exit code is 0.
  failures.push(...running.map((file) => `${file} did not end.`), output.trim());
  return { passed: 0, failed: Math.max(failures.length - 1, 1), skipped: 0, failures, notes: [] };
}

function judge(ok: boolean, output: string, report: TestReport): Outcome {
  const failed = ok ? 0 : Math.max(report.failed, 1);
  return {
    passed: report.passed,
    failed,
    skipped: report.skipped,
    failures: failed > 0 ? [output.trim()] : [],
    notes: [...explainSkips(report), ...report.slowFiles.map(describeSlowFile)],
  };
}

function describeProgress({ files, totalFiles, tests, failed, running }: TestProgress): string {
  const counts = `${files}/${totalFiles} files, ${tests.toLocaleString("en")} tests, ${failed} failed`;
  const last = totalFiles - files <= LAST_FILES && running.length > 0;
  return last ? `${counts}, running ${running.join(", ")}` : counts;
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
