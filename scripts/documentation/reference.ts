import type { Verdict } from "../outcome.js";
import { runCommand } from "../run-command.js";

const TIMEOUT_MS = 120_000;

/** Checks that docs/reference and docs/tool-inputs.md are up to date. */
export async function checkReference(): Promise<Verdict> {
  // A separate program, because it needs a compiler with an API, which the workspace's compiler does not have.
  const problems = await check("apps/reference/src/main.ts");
  return { problems: [...problems, ...(await check("scripts/documentation/tool-inputs.ts"))] };
}

async function check(program: string): Promise<readonly string[]> {
  const args = ["--import", "tsx", "--conditions=@wink/source", program, "--check"];
  const { ok, output } = await runCommand("node", args, { timeoutMs: TIMEOUT_MS });
  return ok ? [] : output.trim().split("\n");
}
