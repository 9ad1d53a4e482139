/** The progress of the tests. */
export interface TestProgress {
  readonly files: number;
  readonly totalFiles: number;
  readonly tests: number;
  readonly failed: number;
  /** The files that have begun and not ended. */
  readonly running: readonly string[];
}

export interface TestReport {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** The slowest files, slowest first. */
  readonly slowFiles: readonly { readonly file: string; readonly durationMs: number }[];
  /** Lines of the tests' own output that begin with `skipped: `. */
  readonly skipReasons: readonly string[];
}

/** The reporter's messages to the test command: progress, each failure, and one report at the end. */
export interface ReporterMessage {
  readonly progress?: TestProgress;
  /** A test that failed, with its error. */
  readonly failure?: string;
  readonly report?: TestReport;
}
