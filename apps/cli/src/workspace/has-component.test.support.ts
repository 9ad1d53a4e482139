import { spawnSync } from "node:child_process";

/**
 * Whether a component for a test is available. If not, it prints why and what to do. With the
 * setting for CI, a missing component is an error.
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
