import type { FileChange } from "@wink/filesystem";
import type { FinishReason, Usage } from "@wink/prompt";
import type { Backend } from "./run-workspace.js";

/** The answer of an agent and its changes. */
export interface RunAnswer {
  /** The answer validated by the agent's schema. Without a schema, the last text of the model. */
  readonly output: unknown;
  readonly changes: readonly FileChange[];
}

/** The result of a run, as `--json` prints it. */
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
  /** The file for `wink log`. */
  readonly log: string | null;
}
