import { findOptionProblem } from "../arguments/option-problem.js";
import { randomName } from "../engine/sha256.js";
import { StoreError } from "../engine/store-error.js";
import type { Store } from "../store/store.js";
import { commits } from "./commits.js";
import { contents } from "./contents.js";
import type { CaseBody, ContractArea, ContractCase } from "./contract-case.js";
import { heads } from "./heads.js";
import { durability, leases } from "./leases.js";
import { findRunner, type TestRunner } from "./test-runner.js";

/** Opens the store under test. Each call gives another connection to the same data. */
export type StoreFactory = () => Store | Promise<Store>;

export interface StoreContractOptions {
  /**
   * The cases that a store does not support: the id of a case, and the reason, which is printed.
   *
   * @default none
   */
  readonly gaps?: Readonly<Record<string, string>> | undefined;
  /**
   * The test framework, if it is not detected automatically.
   *
   * @default the global `describe` and `it`, else those of vitest when it runs the file, else those of `node:test`
   */
  readonly runner?: TestRunner | undefined;
}

const AREAS: readonly ContractArea<CaseBody>[] = [commits, contents, leases, durability, heads];

/**
 * Registers all cases of the contract for one store, in the test framework that runs the file: vitest, Jest, Mocha or
 * `node:test`.
 */
export function storeContract(
  name: string,
  factory: StoreFactory,
  options: StoreContractOptions = {},
): void {
  const problem = findOptionProblem(options, ["gaps", "runner"]);
  if (typeof name !== "string" || typeof factory !== "function" || problem !== undefined)
    throw new Error(
      `storeContract: ${problem ?? "expected a name and a function that opens a store"}.`,
    );
  const { gaps = {}, runner = findRunner("storeContract") } = options;
  const ids = AREAS.flatMap(({ cases }) => cases.map(({ id }) => id));
  for (const [id, reason] of Object.entries(gaps))
    if (!ids.includes(id) || typeof reason !== "string" || reason === "")
      throw new Error(
        `gaps: '${id}' is not the id of a case, or has no reason. Ids: ${ids.join(", ")}.`,
      );
  runner.describe(`${name} fulfils the store contract`, () => {
    for (const area of AREAS)
      runner.describe(area.name, () => {
        for (const each of area.cases) register(runner, name, each, gaps[each.id], factory);
      });
  });
}

function register(
  { it }: TestRunner,
  name: string,
  { id, title, run }: ContractCase<CaseBody>,
  gap: string | undefined,
  factory: StoreFactory,
): void {
  if (gap !== undefined) {
    console.log(`skipped: ${name} ${id}: ${gap}`);
    it.skip?.(`${title}: ${gap}`, () => {});
    return;
  }
  it(title, async () => {
    const opened: Store[] = [];
    const unique = randomName().slice(0, 16);
    try {
      await run({
        id: (suffix = "head") => `${unique}-${suffix}`,
        open: async () => {
          const store = await factory();
          if (typeof store?.close !== "function")
            throw new StoreError(
              "ARGUMENT_INVALID",
              "storeContract",
              "the factory must return a store",
            );
          opened.push(store);
          return store;
        },
      });
    } finally {
      for (const store of opened) await store.close();
    }
  });
}
