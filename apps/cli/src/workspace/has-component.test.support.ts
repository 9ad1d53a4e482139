import { spawnSync } from "node:child_process";

/**
 * Whether what a test needs can be had here. Where it cannot, a line says why and what to do; where everything must be there, as in CI,
 * it is an error.
 */
export function isThere(found: boolean, reason: string): boolean {
  if (found) return true;
  if (process.env["WINK_REQUIRE_ALL"]) throw new Error(reason);
  console.log(`skipped: ${reason}`);
  return false;
}

export function hasProgram(command: string, args: readonly string[], reason: string): boolean {
  return isThere(spawnSync(command, args, { stdio: "ignore" }).status === 0, reason);
}
