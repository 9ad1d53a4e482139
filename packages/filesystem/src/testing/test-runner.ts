/** What the contract needs of a test framework. */
export interface TestRunner {
  describe(name: string, body: () => void): unknown;
  readonly it: ((name: string, body: () => Promise<void>) => unknown) & {
    readonly skip?: ((name: string, body: () => void) => unknown) | undefined;
  };
}

/** The framework whose `describe` and `it` are global, such as Jest, or vitest with `globals: true`. */
export function findRunner(): TestRunner {
  // Checked below: whoever put them there, they are functions.
  const { describe, it } = globalThis as Partial<TestRunner>;
  if (typeof describe === "function" && typeof it === "function") return { describe, it };
  throw new Error(
    "There is no global describe and it. Give them: filesystemContract(name, factory, { runner: { describe, it } }).",
  );
}
