import type { FileChange } from "@wink/filesystem";
import type { FinishReason, Usage } from "@wink/prompt";
import type { Backend } from "./run-workspace.js";

/** What an agent answered and did. */
export interface RunAnswer {
  /** What the agent's schema let pass; without one, what the model said last. */
  readonly output: unknown;
  readonly changes: readonly FileChange[];
}

/** What came of a run, as `--json` prints it. */
export interface RunReport extends RunAnswer {
  readonly agent: string;
  readonly model: string;
  readonly workspace: string;
  readonly backend: Backend;
  readonly finishReason: FinishReason;
  readonly usage: Usage;
  /** Where the changes are now. */
  readonly kept: "applied" | "workspace" | "patch" | "nowhere" | "none";
  readonly patchFile: string | null;
  /** For `wink log`. */
  readonly log: string | null;
}
