import type { FileChange, Filesystem } from "@wink/filesystem";
import type { PromptResponse, ToolContext } from "@wink/prompt";
import type { Session } from "@wink/session";
import type { MergeReport } from "./merge-conflict.js";
import { mergeFork, type OnConflict } from "./merge-fork.js";
import { type ForkRun, type RunOnForkOptions, runOnFork } from "./run-on-fork.js";

export interface EvaluateOnForkOptions<Output = unknown> extends RunOnForkOptions<Output> {
  /** @default "refuse" */
  readonly onConflict?: OnConflict | undefined;
  /** Whether the changes of a run that ended before the model was done are merged too. @default false */
  readonly mergeUnfinished?: boolean | undefined;
}

export interface SubagentResult<Output = unknown> extends MergeReport {
  readonly response: PromptResponse<Output>;
  /** Of the subagent. It is closed, and can still be read. */
  readonly session: Session;
  /** What the subagent did to its fork, merged or not. */
  readonly changes: readonly FileChange[];
}

/**
 * Evaluates a prompt on a fork of the files of a tool call, and merges what it did.
 *
 * For the handler of a tool with `access: "write"`. The merge lies in the call's
 * transaction: when the call fails, it is undone with it. Several at once in one
 * handler work side by side, each on a fork of its own.
 * Resolves with `merged: false` and the conflicts when the changes do not go together
 * with what is in the workspace, and when the run did not complete.
 * Rejects as `evaluate` does, with a `SubagentError`, or with `budget_exhausted`; then nothing is merged.
 */
export function evaluateOnFork<Output>(
  context: ToolContext,
  options: EvaluateOnForkOptions<Output>,
): Promise<SubagentResult<Output>> {
  const { filesystem } = context;
  const before = lastMerge.get(filesystem) ?? Promise.resolve();
  const result = (async () => {
    const run = await runOnFork(context, options);
    await before;
    return await mergeRun(run, context, options);
  })();
  const over = () => {};
  lastMerge.set(filesystem, result.then(over, over));
  return result;
}

/** For the files of a call, what the next merge has to wait for: merges come in the order of the calls. */
const lastMerge = new WeakMap<Filesystem, Promise<void>>();

/** Puts what a run did into the call's files. */
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
