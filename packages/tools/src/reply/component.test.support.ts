/**
 * Whether tests that need a component can run. If not, it prints the reason and what to do.
 * With `WINK_REQUIRE_ALL`, as in CI, a missing component is an error.
 */
export function hasComponent(isThere: boolean, reason: string): boolean {
  if (isThere) return true;
  if (process.env["WINK_REQUIRE_ALL"]) throw new Error(reason);
  console.log(`skipped: ${reason}`);
  return false;
}
