/**
 * Makes system calls of an operation fail: each call once, and every call from one on, with each error it can
 * return. Afterwards the tree must be old or new, a success must be complete, later operations must work, and no
 * error may show a host path.
 *
 * Runs a random sample by default. To run every fault in every operation:
 *
 *     pnpm test:long faults
 */
import { expect, it } from "vitest";
import { hasCompiler, jobFromEnvironment, runAttacks } from "./run-attacks.test.support.js";

const job = jobFromEnvironment("faults");

it.runIf(hasCompiler)(
  "every operation on the host leaves the old or the new state when any of its system calls fails (TM-15, TM-16)",
  async () => {
    const { trials, operations, attacks, failures } = await runAttacks(job);
    console.log(
      `faults: ${trials} trials of ${operations} operations and ${attacks} faults, seed ${job.seed}`,
    );
    expect(failures, `WINK_ATTACK_SEED=${job.seed}`).toEqual([]);
    expect(trials).toBeGreaterThan(0);
  },
  14_400_000,
);

it.runIf(hasCompiler)(
  "the attacks by faults find an operation that ignores errors (TM-15)",
  async () => {
    const only = "a copy that ignores errors";
    const { failures } = await runAttacks(
      { ...job, perOperation: "all", only, share: { index: 0, of: 1 }, isNaive: true },
      () => {},
    );
    expect(failures.join("\n")).toMatch(/a copy that ignores errors: EIO once.* a success without/);
  },
  600_000,
);
