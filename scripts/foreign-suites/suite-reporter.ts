import type { Reporter, TestModule, TestSpecification } from "vitest/node";

/**
 * Prints each file when it ends, with its failed cases. A test can leave a worker that never ends, so the program
 * exits after the last file.
 */
export class SuiteReporter implements Reporter {
  #files = 0;
  #ended = 0;
  #passed = 0;
  #failed = 0;

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#files = specifications.length;
  }

  onTestModuleEnd(module: TestModule): void {
    this.#ended += 1;
    console.log(`${this.#ended}/${this.#files} ${module.relativeModuleId}`);
    for (const { message } of module.errors()) console.log(`  did not load: ${message}`);
    for (const test of module.children.allTests()) {
      const { state, errors } = test.result();
      if (state === "passed") this.#passed += 1;
      if (state !== "failed") continue;
      this.#failed += 1;
      console.log(`  ${test.fullName}\n    ${errors[0]?.message.split("\n")[0] ?? ""}`);
    }
    if (this.#ended < this.#files) return;
    console.log(`${this.#passed} passed, ${this.#failed} failed`);
    process.exit(this.#failed > 0 ? 1 : 0);
  }
}
