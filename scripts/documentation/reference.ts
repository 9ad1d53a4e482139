import type { Verdict } from "../outcome.js";
import { runCommand } from "../run-command.js";

const TIMEOUT_MS = 120_000;

/** Checks that docs/reference is up to date. */
export async function checkReference(): Promise<Verdict> {
  // A separate program, because it needs a compiler with an API, which the workspace's compiler does not have.
  const args = ["--import", "tsx", "apps/reference/src/main.ts", "--check"];
  const { ok, output } = await runCommand("node", args, { timeoutMs: TIMEOUT_MS });
  return { problems: ok ? [] : output.trim().split("\n") };
}
