import type { SnapshotableFilesystem } from "@wink/filesystem";
import {
  type BoundPrompt,
  defineTool,
  type FinishReason,
  fail,
  type ModelSchema,
  type OutputOf,
  ok,
  type RenderedTool,
  type Tool,
  type ToolContext,
  type ToolResult,
  type Usage,
} from "@wink/prompt";
import type { Session } from "@wink/session";
import { beginWith } from "../call/first-part.js";
import { clip } from "../context/clip.js";
import { isSubagentError } from "../context/subagent-error.js";
import { isModelError } from "../loop/model-error.js";
import { isRunError } from "../loop/run-error.js";
import { describeConflicts, describeMerge } from "./describe-merge.js";
import { type EvaluateOnForkOptions, mergeRun } from "./evaluate-on-fork.js";
import { type ForkRun, runOnFork } from "./run-on-fork.js";

export interface SubagentToolOptions<Name extends string, Input extends ModelSchema, Output>
  extends Omit<EvaluateOnForkOptions<Output>, "prompt" | "deadline"> {
  readonly name: Name;
  /** What the subagent is good for, for the model. */
  readonly description: string;
  /** What the model tells it. */
  readonly input: Input;
  /** As `evaluateOnFork` takes it, with what the model told. */
  readonly prompt: (
    input: OutputOf<Input>,
    filesystem: SnapshotableFilesystem,
    session: Session,
  ) => BoundPrompt<Output> | Promise<BoundPrompt<Output>>;
  /** How long a call may take, its place in the order included. @default no limit of its own */
  readonly timeoutMs?: number | undefined;
}

/** What the tool answers with. The model reads the text, or the output as JSON, and what became of the files. */
export interface SubagentReport<Output = unknown> {
  readonly text: string;
  readonly output: Output;
  readonly finishReason: FinishReason;
  readonly usage: Usage;
  /** One line for each kind of change. */
  readonly files: string;
}

/**
 * A tool that has another prompt work on a fork of the workspace.
 *
 * Several calls in one turn work side by side, each on a fork of what the calls before
 * the turn left, beside calls that read. Each then merges in the order of the calls, with files and session to itself.
 * A call fails, and changes nothing, when the subagent ended early, when it could not be asked, and
 * with `onConflict: "refuse"` when there are conflicts; the model reads both sides of them.
 */
export function defineSubagentTool<
  const Name extends string,
  Input extends ModelSchema,
  Output = unknown,
>(
  options: SubagentToolOptions<Name, Input, Output>,
): Tool<Name, OutputOf<Input>, SubagentReport<Output>> {
  const { name, description, input, timeoutMs, prompt } = options;
  type Ran = ForkRun<Output> | ToolResult<never>;

  const run = async (given: OutputOf<Input>, context: ToolContext): Promise<Ran> => {
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
  const finish = async (ran: Ran, context: ToolContext) =>
    "success" in ran ? ran : answer(await mergeRun(ran, context, options));

  const tool = defineTool<Name, Input, SubagentReport<Output>>({
    ...{ name, description, input },
    access: "write",
    ...(timeoutMs !== undefined && { timeoutMs }),
    handler: async (given, context) => finish(await run(given, context), context),
    render: renderReport,
  });
  // The loop calls it with what the tool's own schema let pass.
  const handler = tool.handler as RenderedTool["handler"];
  beginWith(handler, async (given, context) => {
    const ran = await run(given as OutputOf<Input>, context);
    return (last) => finish(ran, last);
  });
  return tool;
}

function answer<Output>(
  result: Awaited<ReturnType<typeof mergeRun<Output>>>,
): ToolResult<SubagentReport<Output>> {
  const { text, output, finishReason, usage } = result.response;
  if (result.merged) {
    const files = describeMerge(result);
    return ok({ text, output, finishReason, usage, files }, "The subagent is done.");
  }
  if (result.conflicts.length === 0)
    return fail(`The subagent was ended before it was done (${finishReason}).`, {
      hint: text === "" ? undefined : `Its last words: ${clip(text, MAX_TEXT_SHOWN)}`,
    });
  return fail(`The subagent's work was not merged.\n${describeConflicts(result.conflicts)}`, {
    hint: "Look at these files, and make the changes yourself or have them made again.",
  });
}

const MAX_TEXT_SHOWN = 4_000;

function renderReport({ text, output, files }: SubagentReport): string {
  return `${output === undefined ? text : JSON.stringify(output)}\n\n${files}`;
}

/** What a model can be told of a run that failed; anything else is thrown on. */
function failureOf(error: unknown): ToolResult<never> {
  if (isModelError(error) || isRunError(error))
    return fail(`The subagent could not finish its work (${error.code}).`);
  if (isSubagentError(error, "too_deep"))
    return fail("Subagents may not start subagents any deeper.", { hint: "Do the work here." });
  if (isSubagentError(error)) return fail("The files cannot be forked, so there are no subagents.");
  throw error;
}
