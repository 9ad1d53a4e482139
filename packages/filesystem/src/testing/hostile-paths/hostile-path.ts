/** A path that somebody may try, and what must come of it on every backend. */
export interface HostilePath {
  readonly path: string;
  /** What is being tried. */
  readonly why: string;
  /**
   * - `EACCES`: it climbs out, and every operation is refused with this code;
   * - `EINVAL`: it is no path at all, and every operation is refused with this code;
   * - `literal`: it means what it says, names inside the workspace;
   * - `root`: it is another way to write the root.
   */
  readonly expected: "EACCES" | "EINVAL" | "literal" | "root";
}

/** Rows that are alike but for their path. */
export function rowsOf(
  expected: HostilePath["expected"],
  why: string,
  paths: readonly string[],
): readonly HostilePath[] {
  return paths.map((path) => ({ path, why, expected }));
}
