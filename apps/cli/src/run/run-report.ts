import type { FileChange } from "@wink/filesystem";
import type { FinishReason, Usage } from "@wink/prompt";
import type { Backend } from "./run-workspace.js";

/** What came of a run, as `--json` prints it. */
export interface RunReport {
  readonly agent: string;
  readonly model: string;
  readonly workspace: string;
  readonly backend: Backend;
  readonly finishReason: FinishReason;
  /** What the agent's schema let pass; without one, what the model said last. */
  readonly output: unknown;
  readonly usage: Usage;
  readonly changes: readonly FileChange[];
  /** Where the changes are now. */
  readonly kept: "applied" | "workspace" | "patch" | "nowhere" | "none";
  readonly patchFile: string | null;
  /** For `wink log`. */
  readonly log: string | null;
}
