import type { FileChange } from "@wink/filesystem";
import type { PromptResponse, ToolContext } from "@wink/prompt";
import type { Session } from "@wink/session";
import { invalid, requireFunction, requireOptions } from "../context/require-options.js";
import { resourceOf } from "../transaction/call-resource.js";
import type { MergeReport } from "./merge-conflict.js";
import { mergeFork } from "./merge-fork.js";
import { type ForkRun, type RunOnForkOptions, runOnFork } from "./run-on-fork.js";

export interface EvaluateOnForkOptions<Output = unknown> extends RunOnForkOptions<Output> {
  /**
   * What happens to files that both sides changed. `refuse` merges nothing. `keep-both` merges all other changes, keeps
   * the workspace's version of these files and writes the subagent's version as `<name>.subagent`. @default "refuse"
   */
  readonly onConflict?: "refuse" | "keep-both" | undefined;
  /**
   * Whether to merge the changes of a run that stopped before the model was done. @default false
   */
  readonly mergeUnfinished?: boolean | undefined;
}

export interface SubagentResult<Output = unknown> extends MergeReport {
  readonly response: PromptResponse<Output>;
  /** The subagent's session. It is closed but can be read. */
  readonly session: Session;
  /** What the subagent changed in its fork, merged or not. */
  readonly changes: readonly FileChange[];
}

/** The names of {@link EvaluateOnForkOptions}. */
export const FORK_OPTIONS: readonly string[] = [
  ...["prompt", "budget", "deadline", "maxTurns", "maxDepth", "adapter", "onEvent", "onConflict"],
  "mergeUnfinished",
];

/**
 * Evaluates a prompt on a fork of the files of a tool call, and merges its changes.
 *
 * For the handler of a tool with `access: "write"`. The merge is part of the call's transaction:
 * if the call fails, it is rolled back too. Several evaluations in one handler run concurrently,
 * each on its own fork. Resolves with `merged: false` if the changes conflict with the workspace
 * or the run did not complete. Rejects like `evaluate`, with an `AdapterError`, or with
 * `BUDGET_EXHAUSTED`; then nothing is merged.
 */
export function evaluateOnFork<Output>(
  context: ToolContext,
  options: EvaluateOnForkOptions<Output>,
): Promise<SubagentResult<Output>> {
  requireContext("evaluateOnFork", context);
  requireOptions("evaluateOnFork", options, FORK_OPTIONS);
  requireFunction("prompt", options.prompt ?? null);
  const resource = resourceOf(context.filesystem);
  const before = resource.lastMerge;
  const result = (async () => {
    const run = await runOnFork(context, options);
    // Merges run in the order of the calls.
    await before;
    return await mergeRun(run, context, options);
  })();
  resource.lastMerge = Promise.allSettled([result]);
  return result;
}

function requireContext(subject: string, context: unknown): void {
  if (typeof context === "object" && context !== null && "filesystem" in context) return;
  throw invalid(subject, "the first argument must be the context that the tool's handler got.");
}

/** Merges the changes of a run into the call's files. */
export async function mergeRun<Output>(
  { response, session, changes }: ForkRun<Output>,
  { filesystem }: ToolContext,
  options: Pick<EvaluateOnForkOptions, "onConflict" | "mergeUnfinished">,
): Promise<SubagentResult<Output>> {
  const { onConflict = "refuse", mergeUnfinished = false } = options;
  const isDone = response.finishReason === "completed" || mergeUnfinished;
  const report = isDone ? await mergeFork(changes, filesystem, onConflict) : NOT_MERGED;
  return Object.freeze({ response, session, changes: changes.changes, ...report });
}

const NOT_MERGED: MergeReport = Object.freeze({
  merged: false,
  written: [],
  deleted: [],
  combined: [],
  conflicts: [],
});
