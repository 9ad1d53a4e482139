import { isSnapshotable, type SnapshotableFilesystem } from "@wink/filesystem";
import { abortable } from "@wink/filesystem/internal";
import type {
  AgentEvent,
  BoundPrompt,
  BudgetLimits,
  Deadline,
  PromptResponse,
  ProviderAdapter,
  ToolContext,
} from "@wink/prompt";
import { Session } from "@wink/session";
import { AdapterError } from "../../error/adapter-error.js";
import { DEFAULT_CALL_LIMITS } from "../context/limits.js";
import { type RecordedChild, resourceOf, type StartedChild } from "../transaction/call-resource.js";
import { withTimeout } from "../transaction/with-timeout.js";
import { type ForkChanges, readForkChanges } from "./fork-changes.js";
import { openBudget } from "./subagent-budget.js";

export interface RunOnForkOptions<Output = unknown> {
  /**
   * Creates the subagent's prompt for these files and this session. The prompt is opened for the
   * run and closed after it.
   */
  readonly prompt: (
    filesystem: SnapshotableFilesystem,
    session: Session,
  ) => BoundPrompt<Output> | Promise<BoundPrompt<Output>>;
  /**
   * The subagent's budget: a fraction (0 to 1) of what its parent has left, or explicit limits. It also counts towards the call's budget. @default 0.5, half of what
   * is left
   */
  readonly budget?: number | BudgetLimits | undefined;
  /** The call's deadline also applies. @default the call's deadline */
  readonly deadline?: Deadline | undefined;
  /** Maximum number of turns. @default the adapter's own limit */
  readonly maxTurns?: number | undefined;
  /** Maximum nesting depth of subagents, including this one. @default 3 */
  readonly maxDepth?: number | undefined;
  /** The adapter that runs the subagent. @default the adapter that runs the call */
  readonly adapter?: ProviderAdapter | undefined;
  /** Receives every event of the subagent. @default events are ignored */
  readonly onEvent?: ((event: AgentEvent) => void) | undefined;
}

/** A completed subagent run and its changes. */
export interface ForkRun<Output = unknown> {
  readonly response: PromptResponse<Output>;
  /** The subagent's session: a child of the call's session. It is closed but can be read. */
  readonly session: Session;
  readonly changes: ForkChanges;
}

/** The tag of a subagent's session that says how many subagents it is nested in. */
const DEPTH_TAG = "subagent-depth";

/** How many subagents a session is nested in. 0 for a run that was not started by a tool. */
export function depthOf(session: Session): number {
  for (let each: Session | undefined = session; each; each = each.parent) {
    const depth = each.tags[DEPTH_TAG] ?? resourceOf(each).depth;
    if (depth !== undefined) return Number(depth);
  }
  return 0;
}

/** Runs a prompt on a fork of the call's files and reads its changes. */
export async function runOnFork<Output>(
  context: ToolContext,
  options: RunOnForkOptions<Output>,
): Promise<ForkRun<Output>> {
  const { filesystem, signal } = context;
  const depth = depthOf(context.session) + 1;
  if (depth > (options.maxDepth ?? 3)) throw new AdapterError("TOO_DEEP", { subject: "subagent" });
  if (!isSnapshotable(filesystem)) throw new AdapterError("NOT_FORKABLE", { subject: "subagent" });
  using budget = openBudget(context.budget, options.budget ?? 0.5);
  const from = await stateOf(context);
  const fork = await filesystem.fork();
  try {
    const first = await fork.snapshot({ signal });
    const tags = { [DEPTH_TAG]: String(depth) };
    await using child = await startChild(context, { tags, filesystem: fork, from });
    const { session, run, base = first } = child;
    await using prompt = await options.prompt(fork, session);
    const { adapter = context.adapter, maxTurns, onEvent } = options;
    const deadline = options.deadline?.earliest(context.deadline) ?? context.deadline;
    const limits = { deadline, budget, signal, maxTurns, onEvent };
    const evaluated = adapter.evaluate(prompt, { session, run, ...limits });
    const response = await endWith(signal, evaluated);
    return { response, session, changes: await readForkChanges(fork, base) };
  } finally {
    await close(fork);
  }
}

/** The stored state of the call's files. */
async function stateOf({ filesystem }: ToolContext): Promise<StartedChild["from"]> {
  const { state, openChanges } = resourceOf(filesystem);
  return state === undefined ? undefined : { state, changes: (await openChanges?.()) ?? [] };
}

type ForkSession = Partial<Pick<RecordedChild, "run" | "base">> &
  Pick<RecordedChild, "session"> &
  AsyncDisposable;

/** Opens the subagent's session. Its run is recorded if the call's run is, and continued if it was begun before. */
async function startChild(
  { session: parent, toolCallId }: ToolContext,
  child: Omit<StartedChild, "toolCallId" | "parent">,
): Promise<ForkSession> {
  const recorded = await resourceOf(parent).startChild?.({ ...child, toolCallId, parent });
  if (recorded === undefined) {
    const session = new Session({ parent, tags: child.tags });
    return { session, [Symbol.asyncDispose]: () => session.close() };
  }
  const { session, run, end, base } = recorded;
  const found = base === undefined ? {} : { base };
  return { session, run, ...found, [Symbol.asyncDispose]: end };
}

/**
 * Rejects when the signal aborts, after the run had some time to roll back. A run that ignores
 * the signal keeps running, but its fork and budget are released.
 */
async function endWith<T>(signal: AbortSignal, run: Promise<T>): Promise<T> {
  try {
    return await abortable(run, signal);
  } catch (error) {
    await withTimeout(DEFAULT_CALL_LIMITS.settleMs, run).catch(() => {});
    throw error;
  }
}

/** Releases the fork. On the host this deletes its directory. */
async function close(fork: SnapshotableFilesystem & Partial<AsyncDisposable>): Promise<void> {
  await fork[Symbol.asyncDispose]?.();
}
