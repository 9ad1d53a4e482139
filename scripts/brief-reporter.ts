import { writeFileSync } from "node:fs";
import {
  DefaultReporter,
  type SerializedError,
  type TestModule,
  type TestRunEndReason,
  type Vitest,
} from "vitest/node";
import { REPORT_VARIABLE, type TestReport } from "./test-report.js";

const SLOW_MS = 5_000;

type ConsoleLog = Parameters<DefaultReporter["onUserConsoleLog"]>[0];

/** Prints failures and nothing else, and writes the counts down. */
class BriefReporter extends DefaultReporter {
  readonly #skipReasons = new Set<string>();

  constructor() {
    super({ summary: false, isTTY: false });
  }

  override onInit(vitest: Vitest): void {
    this.ctx = vitest;
  }

  override onUserConsoleLog(log: ConsoleLog): void {
    for (const line of log.content.split("\n"))
      if (line.startsWith("skipped: ")) this.#skipReasons.add(line);
  }

  override onTestRunEnd(
    modules: readonly TestModule[],
    errors: readonly SerializedError[],
    reason: TestRunEndReason,
  ): void {
    super.onTestRunEnd(modules, errors, reason);
    const report = { ...count(modules, errors), skipReasons: [...this.#skipReasons].sort() };
    const file = process.env[REPORT_VARIABLE];
    if (file !== undefined) writeFileSync(file, JSON.stringify(report));
  }

  protected override printTestModule(): void {}
  override reportTestSummary(): void {}
}

function count(
  modules: readonly TestModule[],
  errors: readonly SerializedError[],
): Omit<TestReport, "skipReasons"> {
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const suites = modules.flatMap((module) => [...module.children.allSuites()]);
  const inState = (state: string) => tests.filter((test) => test.result().state === state).length;
  // A file that cannot be loaded and a hook that throws have no test to blame.
  const broken = [...modules, ...suites].filter((each) => each.errors().length > 0).length;
  return {
    passed: inState("passed"),
    failed: inState("failed") + broken + errors.length,
    skipped: inState("skipped"),
    failedFiles: modules.filter((module) => !module.ok()).map((module) => module.relativeModuleId),
    slowFiles: modules
      .map((module) => ({
        file: module.relativeModuleId,
        durationMs: Math.round(module.diagnostic().duration),
      }))
      .filter(({ durationMs }) => durationMs >= SLOW_MS)
      .sort((a, b) => b.durationMs - a.durationMs)
      .slice(0, 5),
  };
}

// biome-ignore lint/style/noDefaultExport: vitest takes the default export of a reporter's file.
export { BriefReporter as default };
