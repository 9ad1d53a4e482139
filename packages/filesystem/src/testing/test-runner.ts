/** What the contract needs of a test framework. */
export interface TestRunner {
  describe(name: string, body: () => void): unknown;
  readonly it: ((name: string, body: () => Promise<void>) => unknown) & {
    readonly skip?: ((name: string, body: () => void) => unknown) | undefined;
  };
}

/** What frameworks leave where any module can see it. */
interface Traces extends Partial<TestRunner> {
  /** vitest itself, as `import.meta.vitest` gives it. There in every pool, tried from 0.34 to 5.1. */
  readonly __vitest_index__?: Partial<TestRunner>;
  readonly __vitest_worker__?: object;
}

/**
 * The framework that runs this file: the one whose `describe` and `it` are global, such as Jest or
 * Mocha; else vitest; else `node:test`.
 *
 * Nothing is imported. So whoever loads this module needs no framework, vitest is the copy that runs
 * the file wherever it is installed, and `node:test`, which reports on every process that asks for
 * it, is asked for by nobody but a contract.
 */
export function findRunner(): TestRunner {
  // Read with care: whoever put them there, what is used of them is checked.
  const traces = globalThis as Traces;
  const runner =
    runnerIn(traces) ?? runnerIn(traces.__vitest_index__) ?? runnerIn(nodeTest(traces));
  if (runner !== undefined) return runner;
  throw new Error(
    "No test framework was found: describe and it are not global, and neither vitest nor node:test can be reached. " +
      "Give them: filesystemContract(name, factory, gaps, { runner: { describe, it } }).",
  );
}

function runnerIn(place: Partial<TestRunner> | undefined): TestRunner | undefined {
  const { describe, it } = place ?? {};
  return typeof describe === "function" && typeof it === "function" ? { describe, it } : undefined;
}

/** `node:test`, but not inside another framework, which would find no test in the file. */
function nodeTest({ __vitest_worker__ }: Traces): Partial<TestRunner> | undefined {
  const { process } = globalThis;
  // A test of Jest's may start `node --test`, which then has both.
  const isJest = process?.env["JEST_WORKER_ID"] && !process.env["NODE_TEST_CONTEXT"];
  return __vitest_worker__ || isJest ? undefined : process?.getBuiltinModule?.("node:test");
}
