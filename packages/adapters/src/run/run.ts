import type { SnapshotableFilesystem } from "@wink/filesystem";
import type { EvaluatedRun, EvaluateOptions, ParkReason, PromptResponse } from "@wink/prompt";
import type { JsonValue, Session } from "@wink/session";
import { RunError } from "../error/run-error.js";
import { invalid, requireMethod, requireOptions } from "../runtime/context/require-options.js";
import { CONTINUES } from "../runtime/loop/continued-run.js";
import type { ModelAdapter } from "../runtime/loop/model-adapter.js";
import { EVALUATE_OPTIONS } from "../runtime/loop/require-prompt.js";
import { type AnswerRunOptions, answerRun } from "./answer-run.js";
import { createPrompt } from "./create-prompt.js";
import type { InterruptedCall } from "./end-open-calls.js";
import { type ForkRunOptions, forkRun } from "./fork-run.js";
import { OpenedRun, openRun } from "./open-run.js";
import { isAnswerable, type RunPark, type RunParking } from "./parking.js";
import type { RunHeader } from "./run-header.js";
import type { RunOptions, StoredRunOptions } from "./run-options.js";
import type { StoredRunSource } from "./store-head.js";

/** Options that the run sets itself. */
const RUN_SETS = ["session", "run", "transcript"];
const CONTINUE_OPTIONS = EVALUATE_OPTIONS.filter((name) => !RUN_SETS.includes(name));

/** Options of `continue`, as for `evaluate`. */
export type ContinueOptions = Omit<EvaluateOptions, "session" | "run" | "transcript">;

/**
 * A run as a durable object: its log, its transcript, the states of its files, and its subagents with theirs. It is
 * the only writer of its directory; `readRun` reads it.
 *
 * Everything that is evaluated on `session` is recorded. With `workspace`, every tool call is committed in files and
 * session or in neither, even if the process is killed. Open calls are rolled back when the run is opened again, before
 * the caller gets it.
 */
export class Run<Output = unknown> implements EvaluatedRun, AsyncDisposable {
  /**
   * Opens the run in `directory`, or creates one.
   *
   * Rejects with `SESSION_LOCKED` while another process has the run open, with an `AdapterError`, and like
   * `HostFilesystem.open` and `SessionLog.open`. `directory` must be outside the workspace and must contain nothing
   * else.
   */
  static open<Output = unknown>(
    directory: string,
    options: RunOptions<Output>,
  ): Promise<Run<Output>>;
  /**
   * Opens a run in a store, or creates one. Its files are in the store too: a call's files, events and answer become
   * visible in one step.
   *
   * Rejects with a `StoreError`, such as `LEASE_LOST` while another process has the run open.
   */
  static open<Output = unknown>(
    source: StoredRunSource,
    options?: StoredRunOptions<Output>,
  ): Promise<Run<Output>>;
  static async open<Output = unknown>(
    source: string | StoredRunSource,
    options: RunOptions<Output> | StoredRunOptions<Output> = {},
  ): Promise<Run<Output>> {
    return new Run(await openRun(source, options));
  }

  /**
   * Makes a new run with the files, the state and the conversation that another run had after an event. The next request
   * of both is the same. Opening it makes calls again that were in progress. Resolves to its header.
   *
   * @param source the directory of a run, a store and the id of a run, or `<store-url>#<id>`
   * @param target a new directory, or the id of the new run in the store of `source`
   */
  static async fork(
    source: string | StoredRunSource,
    target: string,
    options: ForkRunOptions = {},
  ): Promise<RunHeader> {
    return await forkRun(source, target, options);
  }

  /**
   * Answers what a run waits for, without opening its files. `context.park` of the waiting call then resolves to `value`
   * when the run continues. Rejects with `SESSION_LOCKED` or `LEASE_LOST` while a process has the run open.
   *
   * @param source the directory of a run, a store and the id of a run, or `<store-url>#<id>`
   */
  static async answer(
    source: string | StoredRunSource,
    value: JsonValue,
    options: AnswerRunOptions = {},
  ): Promise<void> {
    await answerRun(source, value, options);
  }

  /** The real path of the run's directory. Empty for a run in a store. */
  readonly directory: string;
  /** The session of the run. Closed with the run. */
  readonly session: Session;
  /** The files, for the section with the tools. A filesystem that the caller gave stays open. */
  readonly filesystem: SnapshotableFilesystem;
  /** The calls of an earlier process that were rolled back when the run was opened, in the order of their start. */
  readonly interrupted: readonly InterruptedCall[];
  readonly #opened: OpenedRun;
  #closing: Promise<void> | undefined;

  private constructor(opened: OpenedRun) {
    if (!(opened instanceof OpenedRun)) throw invalid("Run", "use Run.open().");
    this.#opened = opened;
    this.directory = "path" in opened.place ? opened.place.path : "";
    this.session = opened.session;
    this.filesystem = opened.filesystem;
    this.interrupted = opened.interrupted;
  }

  get id(): string {
    return this.header.id;
  }

  /** The facts about the whole run. */
  get header(): RunHeader {
    return this.#opened.recording.header;
  }

  /** What the run waits for, and what it waited for. */
  get parks(): readonly RunPark[] {
    return this.#opened.recording.parking?.parks ?? [];
  }

  /**
   * Evaluates the agent's prompt, or continues where an earlier process stopped. The next request is the one that the
   * earlier process would have sent. An answer of the model that is stored is not requested again. Calls that the
   * earlier process did not end were rolled back: calls that act only on the workspace are made again. For all others
   * the model reads that their outcome is unknown.
   *
   * Rejects like `evaluate`, and with `PARKED` while the run waits, `NOT_RESUMABLE` if it was redacted or has no
   * transcript, and `AGENT_CHANGED`.
   */
  async continue(
    adapter: ModelAdapter,
    options: ContinueOptions = {},
  ): Promise<PromptResponse<Output>> {
    requireMethod("adapter", adapter, { name: "evaluate", expected: "an adapter" });
    requireOptions("continue", options, CONTINUE_OPTIONS);
    const { agent } = this.#opened;
    if (agent === undefined) throw invalid("continue", "pass an agent to Run.open.");
    await using prompt = await createPrompt<Output>(this.#opened);
    const { settings = agent.settings } = options;
    return await adapter.evaluate(prompt, { ...options, settings, run: this });
  }

  /**
   * Makes the run wait for something outside. A running evaluation finishes its turn and then rejects with `PARKED`.
   * The run can be closed, and continues when it is answered.
   */
  park(reason: ParkReason): void {
    this.#parking.parkRun(reason);
  }

  /**
   * Answers what the run waits for. `context.park` of the waiting call then resolves to `value`.
   *
   * @param id from `parks`
   */
  answer(id: string, value: JsonValue): void {
    this.#parking.answer(id, value);
  }

  /** @internal */
  async [CONTINUES](): Promise<unknown> {
    const { recording } = this.#opened;
    const open = recording.parking?.parks.find(isAnswerable);
    if (open !== undefined) throw parked(open);
    return await recording.continuation();
  }

  get #parking(): RunParking {
    const { parking } = this.#opened.recording;
    if (parking !== undefined) return parking;
    throw invalid("Run", "a run without a transcript cannot wait.");
  }

  /**
   * Closes the run in this process. A call that is still running is rolled back, now or when the run is opened again.
   */
  close(): Promise<void> {
    this.#closing ??= this.#opened.close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

function parked({ kind, text, id }: RunPark): RunError {
  const reason = `it waits for ${WAITS[kind]} (${id}: ${text})`;
  return new RunError("PARKED", { finishReason: "parked", text: "", reason });
}

const WAITS = {
  approval: "an approval",
  timer: "a time",
  reply: "a reply",
  subagent: "a subagent",
} as const;
