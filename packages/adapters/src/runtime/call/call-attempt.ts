import { fail, type PolicyCall, type RenderedTool } from "@wink/prompt";
import { checkPolicies, noWorkspace, parseInput, recordToolCall } from "@wink/prompt/adapter";
import { ToolCallStarted } from "../context/run-events.js";
import { InsideTransaction } from "../transaction/call-nesting.js";
import { behind, type CallScope } from "../transaction/call-scope.js";
import { CallTransaction, changesFiles, NotUndoable } from "../transaction/call-transaction.js";
import { isPoisoned, poison } from "../transaction/poison.js";
import { within } from "../transaction/within.js";
import { CallContexts } from "./call-contexts.js";
import type { CallLimit } from "./call-limit.js";
import type { CallReport } from "./call-report.js";
import { describeThrown } from "./describe-failure.js";
import { type FirstPart, firstPartOf, type LastPart } from "./first-part.js";
import { type JudgedResult, judgeResult } from "./judge-result.js";
import { keeperOf } from "./keep-states.js";
import { parseArguments } from "./parse-arguments.js";
import type { RunToolCallOptions } from "./run-tool-call-options.js";
import type { ToolOutcome } from "./tool-outcome.js";
import { POISONED, undoCall } from "./undo-call.js";

export interface CallAttemptOptions {
  readonly tool: RenderedTool;
  readonly scope: CallScope;
  readonly limit: CallLimit;
  readonly report: CallReport;
  readonly run: RunToolCallOptions;
  /** The parsed call of an earlier attempt. Policies and budget are checked only once per call. */
  readonly prepared: PolicyCall | undefined;
  /** The second part of a call whose first part has run. */
  readonly lastPart: LastPart | undefined;
}

/** One attempt at a call that holds its locks, from parsing the arguments to the end. */
export class CallAttempt {
  readonly #options: CallAttemptOptions;
  readonly #transaction: CallTransaction;
  readonly #contexts: CallContexts;
  readonly #firstPart: FirstPart | undefined;
  #prepared: PolicyCall | undefined;
  #lastPart: LastPart | undefined;

  constructor(options: CallAttemptOptions) {
    this.#options = options;
    this.#prepared = options.prepared;
    this.#lastPart = options.lastPart;
    const { tool, scope, limit, report, run } = options;
    this.#contexts = new CallContexts({ tool, limit, report, run });
    this.#firstPart = this.#lastPart === undefined ? firstPartOf(tool) : undefined;
    this.#transaction = new CallTransaction({
      scope,
      access: this.#firstPart === undefined ? tool.access : "read",
      session: run.session,
      filesystem: tool.filesystem ?? noWorkspace,
      toolCallId: run.call.toolCallId,
      tool: tool.name,
      limit,
      settleMs: report.limits.settleMs,
    });
  }

  /** Whether the call changed the session, or tried to. */
  get changesSession(): boolean {
    return this.#transaction.mustBeAlone || this.#transaction.sessionChanges > 0;
  }

  /** The parsed and allowed call, for the next attempt. */
  get prepared(): PolicyCall | undefined {
    return this.#prepared;
  }

  /** The second part, available after the first part has run. */
  get lastPart(): LastPart | undefined {
    return this.#lastPart;
  }

  /** Resolves to `again` if the call must be repeated with an exclusive lock on the session. */
  async run(): Promise<ToolOutcome | "again"> {
    const { tool, report, run } = this.#options;
    if (this.#resources().some(isPoisoned)) return report.failed("refused", POISONED);
    const { toolCallId } = run.call;
    const started = () =>
      report.note(() => ToolCallStarted({ toolCallId, tool: tool.name, access: tool.access }));
    if (this.#prepared === undefined && !started())
      return report.failed("refused", "The call could not be recorded, so it was not made.");
    try {
      const call = this.#prepared ?? (await this.#prepare());
      if ("status" in call) return call;
      this.#prepared = call;
      return await this.#perform(call);
    } catch (error) {
      return await this.#giveUp(error);
    } finally {
      const closing = this.#contexts.close();
      if (closing) await closing;
    }
  }

  /** Parses, validates and authorises the call. If it returns an outcome, nothing has changed. */
  async #prepare(): Promise<PolicyCall | ToolOutcome> {
    const { tool, limit, report, run } = this.#options;
    const sent = parseArguments(run.call.arguments, report.limits);
    if (!sent.success) return report.failed("invalid", sent.message, { hint: sent.hint });
    const parsed = await limit.race(parseInput(tool, sent.value));
    if (!parsed.success) return report.failed("invalid", parsed.message, { hint: parsed.hint });

    const call = { tool, input: parsed.value, context: this.#contexts.forRules() };
    if (tool.policies.length > 0) {
      const onError = (error: unknown, policy: string) => report.tell(error, `policy ${policy}`);
      const decision = await limit.race(checkPolicies(call, { onError }));
      if (!decision.allowed) return report.failed("denied", decision.reason);
    }
    if (this.#writesInReader())
      return report.failed(
        "refused",
        `${tool.name} changes files, so a read-only tool cannot run it.`,
      );
    try {
      run.budget?.take({ toolCalls: 1 });
    } catch {
      return report.failed("refused", "The budget of this task is used up.");
    }
    return call;
  }

  async #perform(call: PolicyCall): Promise<ToolOutcome | "again"> {
    const { tool, limit, report } = this.#options;
    if (this.#options.prepared === undefined) limit.startTimeout(tool.timeoutMs);
    // Not raced against a timeout, because a half-begun transaction could be neither used nor
    // ended.
    const beginning = this.#transaction.begin();
    if (beginning) await beginning;
    limit.throwIfGivenUp();
    if (this.#firstPart !== undefined) return await this.#beginWith(this.#firstPart, call);
    const judged = await this.#ask(call);
    if (this.#transaction.mustBeAlone) return await this.#again();
    if (!judged.result.success) return await this.#fail(call, judged);
    // For a call that only reads, the next steps are synchronous.
    const revoking = this.#transaction.revoke();
    if (revoking) await revoking;
    const committing = this.#transaction.commit();
    if (committing) await this.#settleCommit(committing);
    this.#spend();
    const recording = this.#record(call, judged);
    if (recording) await recording;
    const keeping = this.#keepState();
    const snapshot = keeping && (await keeping);
    return report.ended("succeeded", judged.result, judged.text, { snapshot });
  }

  /**
   * Once decided, a commit is final. If finishing it fails, later calls are refused until it is
   * finished.
   */
  async #settleCommit(committing: Promise<void>): Promise<void> {
    const transaction = this.#transaction;
    try {
      await committing;
    } catch (error) {
      if (!transaction.decided) throw error;
      poison(this.#resources(), { run: async () => transaction.commit() });
      this.#options.report.tell(error, "commit");
    }
  }

  /**
   * Runs the handler and checks its result. A thrown error becomes a failure. Rejects if the call
   * is cancelled.
   */
  async #ask(call: PolicyCall): Promise<JudgedResult> {
    const { tool, limit, report } = this.#options;
    const context = this.#contexts.forHandler(this.#transaction);
    try {
      const answering = this.#lastPart?.(context) ?? tool.handler(call.input, context);
      // Handlers may return a foreign thenable.
      const answer = await limit.race(Promise.resolve(answering));
      return await limit.race(judgeResult(tool, answer, report.limits));
    } catch (error) {
      if (limit.givenUp !== undefined) throw error;
      report.tell(error, `tool ${tool.name}`);
      const result = fail(describeThrown(tool.name, error));
      return { result, text: result.message };
    }
  }

  async #beginWith(firstPart: FirstPart, call: PolicyCall): Promise<"again"> {
    const context = this.#contexts.forHandler(this.#transaction);
    try {
      this.#lastPart = await this.#options.limit.race(firstPart(call.input, context));
    } catch (error) {
      // The call read the session while an earlier call was running. It is repeated with an
      // exclusive lock.
      if (!this.#transaction.mustBeAlone) throw error;
    }
    return await this.#again();
  }

  async #again(): Promise<"again"> {
    await this.#transaction.revoke();
    await this.#transaction.rollback("made again").run();
    return "again";
  }

  async #fail(call: PolicyCall, { result }: JudgedResult): Promise<ToolOutcome> {
    const { report } = this.#options;
    const undone = await this.#undo("the tool failed");
    await this.#record(call, { result, text: result.message });
    const message = undone === "" ? result.message : `${result.message} ${undone}`;
    const hint = result.success ? undefined : result.hint;
    const maxCharacters = report.limits.maxAnswerCharacters;
    return report.failed("failed", message, { hint, rolledBack: undone !== "", maxCharacters });
  }

  /** Handles errors outside the handler: the call was cancelled, or files or session failed. */
  async #giveUp(error: unknown): Promise<ToolOutcome> {
    const { tool, limit, report } = this.#options;
    const { givenUp } = limit;
    const undone = await this.#undo(givenUp ?? "the call failed");
    if (givenUp !== undefined) return report.givenUp(givenUp, undone, error);
    report.tell(error, `tool ${tool.name}`);
    if (error instanceof NotUndoable)
      return report.failed(
        "refused",
        `${tool.name} was not run: changes to its files could not be undone.`,
      );
    if (error instanceof InsideTransaction)
      return report.failed(
        "refused",
        `${tool.name} was not run: the tool that calls it has an open transaction on the same files. It must end that transaction first.`,
      );
    const message = describeThrown(tool.name, error);
    return report.failed("failed", undone === "" ? message : `${message} ${undone}`, {
      rolledBack: undone !== "",
    });
  }

  /** Rolls back the call and returns a sentence about it. */
  #undo(reason: string): Promise<string> {
    const { tool, report, run } = this.#options;
    const { toolCallId } = run.call;
    const [transaction, resources] = [this.#transaction, this.#resources()];
    return undoCall({ tool, toolCallId, transaction, report, resources, reason });
  }

  #record(call: PolicyCall, { result }: JudgedResult): Promise<void> | undefined {
    const { report } = this.#options;
    const tell = (error: unknown) => report.tell(error, "policies");
    try {
      // Only a policy of the tool can make this asynchronous.
      const recording = recordToolCall(call, result);
      return recording && within(report.limits.settleMs, recording).catch(tell);
    } catch (error) {
      tell(error);
      return undefined;
    }
  }

  /**
   * Takes a snapshot after the call if `keepStates` is on. Skipped inside another call, because
   * that one is not committed yet.
   */
  #keepState(): Promise<string | undefined> | undefined {
    const { tool, scope, report, run } = this.#options;
    const keeper = tool.filesystem && keeperOf(tool.filesystem);
    const hasChanged = tool.access === "opaque" || this.#transaction.touched.size > 0;
    if (keeper === undefined || scope.parent !== undefined || !hasChanged) return undefined;
    return keeper.keep(run.call.toolCallId, tool.name).catch((error: unknown) => {
      report.tell(error, "snapshot");
      return undefined;
    });
  }

  #spend(): void {
    const { bytesWritten } = this.#transaction;
    if (bytesWritten > 0) this.#options.run.budget?.spend({ bytesWritten });
  }

  /** A nested call must not write while the outer call holds the files only for reading. */
  #writesInReader(): boolean {
    const { tool, scope } = this.#options;
    if (!changesFiles(tool.access) || tool.filesystem === undefined) return false;
    return scope.parent?.modeOf(behind(tool.filesystem)) === "shared";
  }

  #resources(): readonly object[] {
    const { tool, run } = this.#options;
    const session = behind(run.session);
    return tool.filesystem === undefined ? [session] : [session, behind(tool.filesystem)];
  }
}
