/**
 * An attacker changes the tree right before a system call of an operation: once before each call that the operation
 * makes, for every kind of swap. Nothing outside may be read or changed, and the operation has to end.
 *
 * Runs a random sample by default. To run every moment of every operation:
 *
 *     pnpm test:long moments
 */
import { expect, it } from "vitest";
import { hasCompiler, jobFromEnvironment, runAttacks } from "./run-attacks.test.support.js";

const job = jobFromEnvironment("moments");

it.runIf(hasCompiler)(
  "every operation on the host stays inside and ends when an attacker swaps entries before any of its system calls (TM-13, TM-14)",
  async () => {
    const { trials, operations, attacks, failures } = await runAttacks(job);
    console.log(
      `moments: ${trials} trials of ${operations} operations and ${attacks} swaps, seed ${job.seed}`,
    );
    expect(failures, `WINK_ATTACK_SEED=${job.seed}`).toEqual([]);
    expect(trials).toBeGreaterThan(0);
  },
  14_400_000,
);

it.runIf(hasCompiler)(
  "the attacks by swaps find operations that check a path first, and operations that do not end (TM-13, TM-14)",
  async () => {
    const { failures } = await runAttacks(
      { ...job, perOperation: "all", only: "", share: { index: 0, of: 1 }, isNaive: true },
      () => {},
    );
    const found = failures.join("\n");
    expect(found).toMatch(/a read that checks .* content from outside/);
    expect(found).toMatch(/a write that checks .* outside changed/);
    expect(found).toMatch(/a loop that waits .* it makes calls without end/);
  },
  600_000,
);
