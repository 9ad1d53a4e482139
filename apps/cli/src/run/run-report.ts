import type { FileChange } from "@wink/filesystem";
import type { FinishReason, RunUsage } from "@wink/prompt";
import type { ApplyConflict, MountLeftOut } from "@wink/workspace";
import type { Backend } from "./run-workspace.js";

/** The answer of an agent and its changes. */
export interface RunAnswer {
  /** The answer validated by the agent's schema. Without a schema, the last text of the model. */
  readonly output: unknown;
  readonly changes: readonly FileChange[];
}

/** Where the changes of a run are now. */
export interface Settled {
  /** `line`: apart from the workspace, because of conflicts. */
  readonly kept: "applied" | "workspace" | "line" | "patch" | "nowhere" | "none";
  /** The name of the line. */
  readonly line: string | null;
  /** The files that the run and the workspace changed differently. */
  readonly conflicts: readonly ApplyConflict[];
}

/** The result of a run, as `--json` prints it. */
export interface RunReport extends RunAnswer, Settled {
  readonly agent: string;
  readonly model: string;
  readonly workspace: string;
  readonly backend: Backend;
  readonly finishReason: FinishReason;
  readonly usage: RunUsage;
  readonly patchFile: string | null;
  /** The files that the agent did not see, with `--backend overlay`. */
  readonly leftOut?: readonly MountLeftOut[] | undefined;
  /** The directory of the run, for `wink log`. */
  readonly log: string;
}
