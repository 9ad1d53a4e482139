import type { AppliedCopy } from "./apply-to-copy.js";
import type { Findings } from "./demo-agent.js";

/** The results of the demo, as `--json` prints them. */
export interface DemoReport {
  readonly model: string;
  readonly testsRanIn: string;
  readonly mounted: { readonly fileCount: number; readonly totalBytes: number };
  readonly calls: readonly {
    readonly tool: string;
    readonly success: boolean;
    readonly rolledBack: boolean;
  }[];
  readonly output: Findings;
  readonly snapshots: readonly string[];
  readonly patch: string;
  /** Hashes of all files of the project on disk. */
  readonly host: { readonly before: string; readonly after: string; readonly untouched: boolean };
  readonly copy: AppliedCopy;
}

/** Whether the demo succeeded. */
export function succeeded({ host, copy, patch }: DemoReport): boolean {
  return host.untouched && patch !== "" && copy.tests.failed === 0 && copy.tests.passed > 0;
}
