import {
  DefaultReporter,
  type SerializedError,
  type TestCase,
  type TestModule,
  type TestRunEndReason,
  type TestSpecification,
  type Vitest,
} from "vitest/node";
import type { ReporterMessage, TestProgress, TestReport } from "./test-report.js";

const SLOW_MS = 5_000;
/** How often a file with many tests reports that it makes progress. */
const REPORT_INTERVAL_MS = 1_000;

type ConsoleLog = Parameters<DefaultReporter["onUserConsoleLog"]>[0];

/** Prints failures and nothing else, and sends the counts to the test command. */
class BriefReporter extends DefaultReporter {
  readonly #skipReasons = new Set<string>();
  readonly #running = new Set<string>();
  #progress: Omit<TestProgress, "running"> = { files: 0, totalFiles: 0, tests: 0, failed: 0 };
  #reportedAt = 0;

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

  override onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#progress = { files: 0, totalFiles: specifications.length, tests: 0, failed: 0 };
    this.#report();
  }

  override onTestModuleQueued(module: TestModule): void {
    this.#running.add(module.relativeModuleId);
    this.#report();
  }

  override onTestCaseResult(test: TestCase): void {
    super.onTestCaseResult(test);
    const result = test.result();
    if (result.state === "failed")
      send({
        failure: `${test.module.relativeModuleId} > ${test.fullName}\n${result.errors.map(({ message }) => message).join("\n")}`,
      });
    if (performance.now() - this.#reportedAt > REPORT_INTERVAL_MS) this.#report();
  }

  override onTestModuleEnd(module: TestModule): void {
    const { passed, failed } = count([module], []);
    this.#running.delete(module.relativeModuleId);
    this.#progress = {
      ...this.#progress,
      files: this.#progress.files + 1,
      tests: this.#progress.tests + passed + failed,
      failed: this.#progress.failed + failed,
    };
    this.#report();
  }

  #report(): void {
    this.#reportedAt = performance.now();
    send({ progress: { ...this.#progress, running: [...this.#running] } });
  }

  override onTestRunEnd(
    modules: readonly TestModule[],
    errors: readonly SerializedError[],
    reason: TestRunEndReason,
  ): void {
    super.onTestRunEnd(modules, errors, reason);
    const skipReasons = [...this.#skipReasons].sort();
    send({ report: { ...count(modules, errors), skipReasons } });
  }

  protected override printTestModule(): void {}
  override reportTestSummary(): void {}
}

/** Without the test command the channel does not exist, and the counts are not needed. */
function send(message: ReporterMessage): void {
  process.send?.(message);
}

function count(
  modules: readonly TestModule[],
  errors: readonly SerializedError[],
): Omit<TestReport, "skipReasons"> {
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const suites = modules.flatMap((module) => [...module.children.allSuites()]);
  const inState = (state: string) => tests.filter((test) => test.result().state === state).length;
  // A file that cannot be loaded and a hook that throws belong to no test.
  const broken = [...modules, ...suites].filter((each) => each.errors().length > 0).length;
  return {
    passed: inState("passed"),
    failed: inState("failed") + broken + errors.length,
    skipped: inState("skipped"),
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

// biome-ignore lint/style/noDefaultExport: vitest loads the default export of a reporter's file.
export { BriefReporter as default };
