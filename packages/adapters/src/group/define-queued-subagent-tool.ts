import { createHash } from "node:crypto";
import {
  type BudgetLimits,
  defineTool,
  fail,
  type ModelSchema,
  type OutputOf,
  type Tool,
  type ToolContext,
  type ToolResult,
} from "@wink/prompt";
import { StartToolCall } from "@wink/prompt/adapter";
import type { JsonValue } from "@wink/session";
import { AdapterError } from "../error/adapter-error.js";
import { RunError } from "../error/run-error.js";
import { createQueuedRun, type QueuedRunState, readQueuedRun } from "../run/queued-run.js";
import { spentInStore } from "../run/spent-of.js";
import { FORKS_FIRST } from "../runtime/call/call-access.js";
import { invalid, requireMethod, requireOptions } from "../runtime/context/require-options.js";
import {
  renderReport,
  reportMerge,
  type SubagentReport,
} from "../runtime/subagent/define-subagent-tool.js";
import { mergeFork } from "../runtime/subagent/merge-fork.js";
import { depthOf } from "../runtime/subagent/run-on-fork.js";
import { openBudget, requireShare, SHARED } from "../runtime/subagent/subagent-budget.js";
import { ownerOf, resourceOf, type StoredRun } from "../runtime/transaction/call-resource.js";
import type { DeadLetter, RequestPriority, RequestQueue } from "../worker/request-queue.js";

export interface QueuedSubagentToolOptions<Name extends string, Input extends ModelSchema> {
  readonly name: Name;
  /** What the subagent is good at. The model reads this. */
  readonly description: string;
  /** The schema of the model's input. The input becomes the parameters of the subagent's run. */
  readonly input: Input;
  /**
   * Where the requests of subagents wait for their workers. The id of a request is the id of the run, and its body is
   * `{ params }`, as for `wink worker`.
   */
  readonly queue: Pick<RequestQueue<{ readonly params: OutputOf<Input> }>, "add"> &
    Pick<RequestQueue, "deadLetters">;
  /**
   * The name of the queue that the calling run's request is in. When the subagent ends, its worker makes that request
   * due, if the worker's `replies` has this queue. @default the calling run notices the end at most a minute later
   */
  readonly replyTo?: string | undefined;
  /** @default "normal" */
  readonly priority?: RequestPriority | undefined;
  /**
   * The subagent's budget: a fraction (0 to 1) of what its parent has left, or explicit limits. Its usage counts in the
   * call's budget when it ends. @default 0.5, half of the remaining budget
   */
  readonly budget?: number | BudgetLimits | undefined;
  /** Maximum nesting depth of subagents, including this one. @default 3 */
  readonly maxDepth?: number | undefined;
  /** What happens to files that both sides changed, as for `defineSubagentTool`. @default "refuse" */
  readonly onConflict?: "refuse" | "keep-both" | undefined;
}

const OPTIONS = [
  ...["name", "description", "input", "queue", "replyTo", "priority", "budget", "maxDepth"],
  "onConflict",
];

/**
 * A tool whose subagent is a run of its own and a request in a queue, for runs in a store.
 *
 * The subagent starts with the files of the calling run. Any worker of the queue processes it, as every other request.
 * The calling run waits without a process until the subagent ends. Then its changes are merged as those of
 * `defineSubagentTool`. Both runs survive the end of their processes.
 */
export function defineQueuedSubagentTool<const Name extends string, Input extends ModelSchema>(
  options: QueuedSubagentToolOptions<Name, Input>,
): Tool<Name, OutputOf<Input>, SubagentReport> {
  requireOptions("defineQueuedSubagentTool", options, OPTIONS);
  requireMethod("queue", options.queue, { name: "add", expected: "a RequestQueue" });
  requireShare(options.budget);
  const { name, description, input, onConflict = "refuse" } = options;
  const tool = defineTool<Name, Input, SubagentReport>({
    ...{ name, description, input },
    access: "write",
    effects: "workspace",
    async handler(given, context) {
      const stored = storedRunOf(context);
      const ended = await endOf(given, context, { ...options, stored });
      if ("success" in ended) return ended;
      await ownerOf(context.session)?.scope.takeExclusive?.();
      const { response, changes } = ended;
      const report = await mergeFork(changes, context.filesystem, onConflict);
      return reportMerge({ ...report, response });
    },
    render: renderReport,
  });
  return Object.freeze({ ...tool, [FORKS_FIRST]: true });
}

type Ended = Extract<QueuedRunState, { readonly isOver: true }>;
type Started<Input extends ModelSchema> = QueuedSubagentToolOptions<string, Input> & {
  readonly stored: StoredRun;
};

/** The end of the subagent, or why there will be none. Throws `PARKED` while the subagent works. */
async function endOf<Input extends ModelSchema>(
  given: OutputOf<Input>,
  context: ToolContext,
  options: Started<Input>,
): Promise<Ended | ToolResult<never>> {
  const { stored, queue, name, maxDepth = 3 } = options;
  const depth = depthOf(context.session) + 1;
  if (depth > maxDepth)
    return fail("The maximum nesting depth of subagents is reached.", {
      hint: "Do the work here.",
    });
  const id = `${stored.id}.${hashOf(context.idempotencyKey)}`;
  const { parking } = resourceOf(context.session);
  const wait = `${context.idempotencyKey}#subagent`;
  const state = await readQueuedRun(stored, id);
  if (state.isOver) {
    context.budget?.spend(await spentInStore(stored.store, id));
    parking?.settle(wait);
    return state;
  }
  const letter = (await queue.deadLetters()).find(({ request }) => request.requestId === id);
  if (letter !== undefined) {
    parking?.settle(wait);
    return failureOf(letter);
  }
  // The input is what a schema for a model accepts, so it is JSON.
  const params = given as JsonValue;
  const { toolCallId } = context;
  const parent = { run: stored.id, sequence: startOf(context), toolCallId, depth };
  await resourceOf(context.session).flush?.();
  await createQueuedRun(stored, { id, agent: name, params, parent });
  if (!state.isParked) await addRequest(id, given, context, options);
  const text = `The subagent ${name} works (${id}).`;
  parking?.park(wait, { kind: "subagent", text, data: { run: id } });
  throw new RunError("PARKED", { finishReason: "parked", text: "" });
}

/** Adds the request. The queue ignores it if it has it already. */
async function addRequest<Input extends ModelSchema>(
  requestId: string,
  params: OutputOf<Input>,
  context: ToolContext,
  { stored, queue, replyTo, priority, budget: wanted = 0.5 }: Started<Input>,
): Promise<void> {
  // Reserved while the calls of this turn start, so that each gets its part.
  using budget = openBudget(context.budget, wanted);
  const limits = budget && limitsOf(budget.remaining());
  await queue.add({
    ...{ requestId, body: { params }, priority },
    deadlineAtMs: context.deadline?.atMs,
    ...(limits !== undefined && { budget: limits }),
    ...(replyTo !== undefined && { replyTo: `${replyTo}#${stored.id}` }),
  });
}

function limitsOf(remaining: Readonly<Record<string, number>>): BudgetLimits | undefined {
  const limits = SHARED.filter((name) => Number.isFinite(remaining[name]));
  if (limits.length === 0) return undefined;
  return Object.fromEntries(limits.map((name) => [name, remaining[name]]));
}

/** The text of the error is for people, because it may be a foreign one. */
function failureOf({ reason }: DeadLetter): ToolResult<never> {
  return fail(`The subagent could not finish its work (${reason}).`, {
    hint: "Nothing that it did was kept.",
  });
}

function storedRunOf({ session }: ToolContext): StoredRun {
  const { stored } = resourceOf(session);
  if (stored !== undefined) return stored;
  throw invalid(
    "defineQueuedSubagentTool",
    "the tool needs a run in a store: Run.open({ store, id }, …).",
  );
}

function startOf({ session, toolCallId }: ToolContext): number {
  const start = session.events
    .filter((event) => StartToolCall.is(event) && event.payload.toolCallId === toolCallId)
    .at(-1);
  if (start !== undefined) return start.sequence;
  throw new AdapterError("RUN_INVALID", { subject: "run", reason: "the call has no start event" });
}

/** Short, because the id of a nested subagent has those of its callers. */
function hashOf(key: string): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 16);
}
