import type { SnapshotableFilesystem } from "@wink/filesystem";
import {
  type BoundPrompt,
  defineTool,
  type FinishReason,
  fail,
  type ModelSchema,
  type OutputOf,
  ok,
  type PromptResponse,
  type RunUsage,
  type Tool,
  type ToolContext,
  type ToolResult,
} from "@wink/prompt";
import type { Session } from "@wink/session";
import { isAdapterError } from "../../error/adapter-error.js";
import { isModelError } from "../../error/model-error.js";
import { isRunError } from "../../error/run-error.js";
import { FORKS_FIRST } from "../call/call-access.js";
import { clip } from "../context/clip.js";
import { requireFunction, requireOptions } from "../context/require-options.js";
import { ownerOf } from "../transaction/call-resource.js";
import { describeConflicts, describeMerge } from "./describe-merge.js";
import { type EvaluateOnForkOptions, FORK_OPTIONS, mergeRun } from "./evaluate-on-fork.js";
import type { MergeReport } from "./merge-conflict.js";
import { type ForkRun, runOnFork } from "./run-on-fork.js";
import { requireShare } from "./subagent-budget.js";

export interface SubagentToolOptions<Name extends string, Input extends ModelSchema, Output>
  extends Omit<EvaluateOnForkOptions<Output>, "prompt" | "deadline"> {
  readonly name: Name;
  /** What the subagent is good at. The model reads this. */
  readonly description: string;
  /** The schema of the model's input. */
  readonly input: Input;
  /** Creates the prompt, as for `evaluateOnFork`, from the model's input. */
  readonly prompt: (
    input: OutputOf<Input>,
    filesystem: SnapshotableFilesystem,
    session: Session,
  ) => BoundPrompt<Output> | Promise<BoundPrompt<Output>>;
  /** Maximum duration of a call, including the time in the queue. @default no timeout */
  readonly timeoutMs?: number | undefined;
}

const OPTIONS = [
  ...FORK_OPTIONS.filter((name) => name !== "deadline"),
  ...["name", "description", "input", "timeoutMs"],
];

/**
 * The result of the tool. The model reads the text, or the output as JSON, and a summary of the
 * file changes.
 */
export interface SubagentReport<Output = unknown> {
  readonly text: string;
  readonly output: Output;
  readonly finishReason: FinishReason;
  readonly usage: RunUsage;
  /** One line for each kind of change. */
  readonly files: string;
}

/**
 * A tool that runs another prompt on a fork of the workspace.
 *
 * Several calls in one turn run concurrently with each other and with reading calls. Each works
 * on a fork of the files as they were before the turn. Then each merges in the order of the
 * calls, with exclusive access to files and session. A call fails and changes nothing if the
 * subagent stopped early, if its model failed, and with `onConflict: "refuse"` if there are
 * conflicts. The model then reads both sides of each conflict.
 */
export function defineSubagentTool<
  const Name extends string,
  Input extends ModelSchema,
  Output = unknown,
>(
  options: SubagentToolOptions<Name, Input, Output>,
): Tool<Name, OutputOf<Input>, SubagentReport<Output>> {
  requireOptions("defineSubagentTool", options, OPTIONS);
  requireFunction("prompt", options.prompt ?? null);
  requireShare(options.budget);
  const { name, description, input, timeoutMs, prompt } = options;
  const run = async (
    given: OutputOf<Input>,
    context: ToolContext,
  ): Promise<ForkRun<Output> | ToolResult<never>> => {
    try {
      return await runOnFork(context, {
        ...options,
        prompt: (filesystem, session) => prompt(given, filesystem, session),
      });
    } catch (error) {
      context.signal.throwIfAborted();
      return failureOf(error);
    }
  };

  const tool = defineTool<Name, Input, SubagentReport<Output>>({
    ...{ name, description, input },
    access: "write",
    effects: "workspace",
    ...(timeoutMs !== undefined && { timeoutMs }),
    async handler(given, context) {
      const ran = await run(given, context);
      if ("success" in ran) return ran;
      await ownerOf(context.session)?.scope.takeExclusive?.();
      return reportMerge(await mergeRun(ran, context, options));
    },
    render: renderReport,
  });
  return Object.freeze({ ...tool, [FORKS_FIRST]: true });
}

/** What the model reads about a subagent and the merge of its work. */
export function reportMerge<Output>(
  result: MergeReport & { readonly response: PromptResponse<Output> },
): ToolResult<SubagentReport<Output>> {
  const { text, output, finishReason, usage } = result.response;
  if (result.merged) {
    const files = describeMerge(result);
    return ok({ text, output, finishReason, usage, files }, "The subagent is done.");
  }
  if (result.conflicts.length === 0)
    return fail(`The subagent stopped before it was done (${finishReason}).`, {
      hint: text === "" ? undefined : `Its last text: ${clip(text, MAX_TEXT_SHOWN)}`,
    });
  return fail(`The subagent's work was not merged.\n${describeConflicts(result.conflicts)}`, {
    hint: "Read these files. Make the changes yourself, or start the subagent again.",
  });
}

const MAX_TEXT_SHOWN = 4_000;

export function renderReport({ text, output, files }: SubagentReport): string {
  return `${output === undefined ? text : JSON.stringify(output)}\n\n${files}`;
}

/** Converts an error that a model may see to a failure. Rethrows every other error. */
function failureOf(error: unknown): ToolResult<never> {
  // The call waits together with its subagent.
  if (isRunError(error, "PARKED")) throw error;
  if (isModelError(error) || isRunError(error))
    return fail(`The subagent could not finish its work (${error.code}).`);
  if (isAdapterError(error, "TOO_DEEP"))
    return fail("The maximum nesting depth of subagents is reached.", {
      hint: "Do the work here.",
    });
  if (isAdapterError(error, "NOT_FORKABLE"))
    return fail("The files cannot be forked, so subagents are not available.");
  throw error;
}
