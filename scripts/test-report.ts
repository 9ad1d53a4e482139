/** The variable that tells the reporter where to leave its counts for the test command. */
export const REPORT_VARIABLE = "WINK_TEST_REPORT";

export interface TestReport {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Files with a failure in them, from the root. */
  readonly failedFiles: readonly string[];
  /** The slowest files, slowest first. */
  readonly slowFiles: readonly { readonly file: string; readonly durationMs: number }[];
  /** Lines of the tests' own output that begin with `skipped: `. */
  readonly skipReasons: readonly string[];
}
