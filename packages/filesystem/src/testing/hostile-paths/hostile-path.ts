/** A path that an attacker may try, and the expected result on every backend. */
export interface HostilePath {
  readonly path: string;
  /** What the attacker tries. */
  readonly why: string;
  /**
   * - `EACCES`: it escapes the root, and every operation rejects with this code;
   * - `EINVAL`: it is not a valid path, and every operation rejects with this code;
   * - `literal`: it is an ordinary name inside the workspace;
   * - `root`: it is another spelling of the root.
   */
  readonly expected: "EACCES" | "EINVAL" | "literal" | "root";
}

/** Rows that differ only in their path. */
export function rowsOf(
  expected: HostilePath["expected"],
  why: string,
  paths: readonly string[],
): readonly HostilePath[] {
  return paths.map((path) => ({ path, why, expected }));
}
