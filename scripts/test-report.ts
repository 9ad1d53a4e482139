import path from "node:path";
import { cacheFolder } from "./repository.js";

/** Where the reporter of the test run leaves its counts for the test command. */
export const REPORT = path.join(cacheFolder, "vitest.json");

export interface TestReport {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** The slowest files, slowest first. */
  readonly slowFiles: readonly { readonly file: string; readonly durationMs: number }[];
  /** Lines of the tests' own output that begin with `skipped: `. */
  readonly skipReasons: readonly string[];
}
