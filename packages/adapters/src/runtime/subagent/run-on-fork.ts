import type { SnapshotableFilesystem } from "@wink/filesystem";
import type {
  AgentEvent,
  BoundPrompt,
  Deadline,
  PromptResponse,
  ProviderAdapter,
  ToolContext,
} from "@wink/prompt";
import { Session } from "@wink/session";
import { abortable } from "../context/abortable.js";
import { DEFAULT_CALL_LIMITS } from "../context/limits.js";
import { SubagentError } from "../context/subagent-error.js";
import { within } from "../transaction/within.js";
import { type ForkChanges, readForkChanges } from "./fork-changes.js";
import { isSnapshotable } from "./merge-fork.js";
import { openBudget, type SubagentBudget } from "./subagent-budget.js";
import { depthOf, markDepth } from "./subagent-depth.js";

export interface RunOnForkOptions<Output = unknown> {
  /**
   * The prompt of the subagent, made for these files and this session. It is opened
   * for the run and closed after it.
   */
  readonly prompt: (
    filesystem: SnapshotableFilesystem,
    session: Session,
  ) => BoundPrompt<Output> | Promise<BoundPrompt<Output>>;
  /** What the subagent may use. It counts in the budget of the call. @default 0.5, half of what is left */
  readonly budget?: SubagentBudget | undefined;
  /** The call's own deadline counts too. @default the call's */
  readonly deadline?: Deadline | undefined;
  /** How often its model may be asked. @default the adapter's own limit */
  readonly maxTurns?: number | undefined;
  /** How many subagents may lie in each other, this one included. @default 3 */
  readonly maxDepth?: number | undefined;
  /** Runs the subagent. @default the adapter that runs the call */
  readonly adapter?: ProviderAdapter | undefined;
  /** Told of everything that happens in the subagent. @default nobody is told */
  readonly onEvent?: ((event: AgentEvent) => void) | undefined;
}

/** A run of a subagent that has ended by itself, and what it did. */
export interface ForkRun<Output = unknown> {
  readonly response: PromptResponse<Output>;
  /** Of the subagent: a child of the call's, closed, and still there to be read. */
  readonly session: Session;
  readonly changes: ForkChanges;
}

/** Runs a prompt on a fork of the call's files, and reads what it did to them. */
export async function runOnFork<Output>(
  context: ToolContext,
  options: RunOnForkOptions<Output>,
): Promise<ForkRun<Output>> {
  const { filesystem, signal } = context;
  const depth = depthOf(context.session) + 1;
  if (depth > (options.maxDepth ?? 3)) throw new SubagentError("too_deep");
  if (!isSnapshotable(filesystem)) throw new SubagentError("not_forkable");
  using budget = openBudget(context.budgetTracker, options.budget ?? 0.5);
  const fork = await filesystem.fork();
  try {
    const base = await fork.snapshot({ signal });
    using session = new Session({ parent: context.session });
    markDepth(session, depth);
    await using prompt = await options.prompt(fork, session);
    const { adapter = context.adapter, maxTurns, onEvent } = options;
    const deadline = options.deadline?.earliest(context.deadline) ?? context.deadline;
    const limits = { deadline, budget, signal, maxTurns, onEvent };
    const response = await endWith(signal, adapter.evaluate(prompt, { session, ...limits }));
    return { response, session, changes: await readForkChanges(fork, base) };
  } finally {
    await close(fork);
  }
}

/**
 * Rejects when the signal aborts, after a while in which the run can undo what it was at.
 * One that does not end with its call is left behind, and not its fork and its budget.
 */
async function endWith<T>(signal: AbortSignal, run: Promise<T>): Promise<T> {
  try {
    return await abortable(run, signal);
  } catch (error) {
    await within(DEFAULT_CALL_LIMITS.settleMs, run).catch(() => {});
    throw error;
  }
}

/** A fork on the host is a directory that goes with this. */
async function close(fork: SnapshotableFilesystem & Partial<AsyncDisposable>): Promise<void> {
  await fork[Symbol.asyncDispose]?.();
}
