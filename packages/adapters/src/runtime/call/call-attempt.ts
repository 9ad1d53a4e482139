import {
  checkPolicies,
  fail,
  noWorkspace,
  type PolicyCall,
  parseInput,
  type RenderedTool,
  recordToolCall,
} from "@wink/prompt";
import { ToolCallStarted } from "../context/run-events.js";
import { InsideTransaction } from "../transaction/call-nesting.js";
import { behind, type CallScope } from "../transaction/call-scope.js";
import { CallTransaction, NotUndoable } from "../transaction/call-transaction.js";
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
  /** What an earlier attempt has found out: policies and the budget are asked once for each call. */
  readonly prepared: PolicyCall | undefined;
  /** What is left of a call whose first part is done. */
  readonly lastPart: LastPart | undefined;
}

/** A call whose turn has come, from its arguments to its end. */
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

  /** Whether the call has changed the session, or wanted to. */
  get changesSession(): boolean {
    return this.#transaction.mustBeAlone || this.#transaction.sessionChanges > 0;
  }

  /** The call as it was parsed and allowed, for the next attempt. */
  get prepared(): PolicyCall | undefined {
    return this.#prepared;
  }

  /** What is left to do when the first part is done. */
  get lastPart(): LastPart | undefined {
    return this.#lastPart;
  }

  /** Resolves to `again` when the call must be made once more with the session to itself. */
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

  /** Everything before the handler. Nothing has changed when it answers with an outcome. */
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
      return report.failed("refused", `${tool.name} cannot be run by a tool that only reads.`);
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
    // Not raced: a transaction that is half begun could be neither used nor ended.
    const beginning = this.#transaction.begin();
    if (beginning) await beginning;
    limit.throwIfGivenUp();
    if (this.#firstPart !== undefined) return await this.#beginWith(this.#firstPart, call);
    const judged = await this.#ask(call);
    if (this.#transaction.mustBeAlone) return await this.#again();
    if (!judged.result.success) return await this.#fail(call, judged);
    // A call that has read has nothing to wait for in what follows, and waits for nothing.
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

  /** A call that is in force stays so: what is left to do of it is done before any other. */
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

  /** What the handler answers, or what its error is worth. Rejects when the call is given up. */
  async #ask(call: PolicyCall): Promise<JudgedResult> {
    const { tool, limit, report } = this.#options;
    const context = this.#contexts.forHandler(this.#transaction);
    try {
      const answering = this.#lastPart?.(context) ?? tool.handler(call.input, context);
      // What is no promise of this runtime may still be one of somebody's.
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
      // It looked at the session beside an earlier call, and does so again in its turn.
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

  /** For an error outside the handler: the call was cancelled, or files or session refused. */
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

  /** Takes everything back, and says so in a sentence. */
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
      // Only a rule of the tool takes its time.
      const recording = recordToolCall(call, result);
      return recording && within(report.limits.settleMs, recording).catch(tell);
    } catch (error) {
      tell(error);
      return undefined;
    }
  }

  /** The snapshot of what a call has left behind, where that is wanted. Inside another call nothing is left behind yet. */
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

  /** A call inside one that only reads must not write behind its back. */
  #writesInReader(): boolean {
    const { tool, scope } = this.#options;
    if (tool.access === "read" || tool.filesystem === undefined) return false;
    return scope.parent?.modeOf(behind(tool.filesystem)) === "shared";
  }

  #resources(): readonly object[] {
    const { tool, run } = this.#options;
    const session = behind(run.session);
    return tool.filesystem === undefined ? [session] : [session, behind(tool.filesystem)];
  }
}
