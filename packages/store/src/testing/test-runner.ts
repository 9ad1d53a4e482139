/** The functions of a test framework that the contract needs. */
export interface TestRunner {
  describe(name: string, body: () => void): unknown;
  readonly it: ((name: string, body: () => Promise<void>) => unknown) & {
    readonly skip?: ((name: string, body: () => void) => unknown) | undefined;
  };
}

/** The global variables that test frameworks set. */
interface Traces extends Partial<TestRunner> {
  /** vitest itself, like `import.meta.vitest`. Present in every pool; tested from 0.34 to 5.1. */
  readonly __vitest_index__?: Partial<TestRunner>;
  readonly __vitest_worker__?: object;
}

/**
 * The framework that runs this file: the one with a global `describe` and `it`, such as Jest or Mocha; else vitest;
 * else `node:test`.
 *
 * Nothing is imported, for three reasons. Loading this module requires no framework. vitest is the copy that runs the
 * file, wherever it is installed. And `node:test`, which prints a report in every process that loads it, is loaded only
 * for a contract.
 */
export function findRunner(contract: string): TestRunner {
  // The globals may come from other code, so every value is checked before use.
  const traces = globalThis as Traces;
  const runner =
    runnerIn(traces) ?? runnerIn(traces.__vitest_index__) ?? runnerIn(nodeTest(traces));
  if (runner !== undefined) return runner;
  throw new Error(
    `${contract}: no test framework found. describe and it are not global, and neither vitest nor node:test is available. ` +
      "Pass them in the options: { runner: { describe, it } }.",
  );
}

function runnerIn(place: Partial<TestRunner> | undefined): TestRunner | undefined {
  const { describe, it } = place ?? {};
  return typeof describe === "function" && typeof it === "function" ? { describe, it } : undefined;
}

/** `node:test`, unless another framework runs the file and would then find no test in it. */
function nodeTest({ __vitest_worker__ }: Traces): Partial<TestRunner> | undefined {
  const { process } = globalThis;
  // A Jest test may start `node --test`, which then has both variables.
  const isJest = process?.env["JEST_WORKER_ID"] && !process.env["NODE_TEST_CONTEXT"];
  return __vitest_worker__ || isJest ? undefined : process?.getBuiltinModule?.("node:test");
}
