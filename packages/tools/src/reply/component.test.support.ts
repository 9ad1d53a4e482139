/**
 * Whether tests that need a component can run here. Where they cannot, a line says why
 * and what to do; where everything must be there, as in CI, it is an error.
 */
export function hasComponent(isThere: boolean, reason: string): boolean {
  if (isThere) return true;
  if (process.env["WINK_REQUIRE_ALL"]) throw new Error(reason);
  console.log(`skipped: ${reason}`);
  return false;
}
