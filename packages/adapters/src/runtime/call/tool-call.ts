import { fail, type PolicyCall, type RenderedTool, type ToolSuccess } from "@wink/prompt";
import {
  missingFilesystem,
  type ToolCall as OpenedCall,
  openToolCall,
  parseInput,
  policyCall,
  StartToolCall,
  tellPolicies,
} from "@wink/prompt/adapter";
import { AdapterError } from "../../error/adapter-error.js";
import { resourceOf } from "../transaction/call-resource.js";
import { CallScope } from "../transaction/call-scope.js";
import { CallTransaction } from "../transaction/call-transaction.js";
import { blockCalls } from "../transaction/failed-rollbacks.js";
import { withTimeout } from "../transaction/with-timeout.js";
import { decide } from "./ask-approval.js";
import { firstAccess, locksOf, refusalInside } from "./call-access.js";
import { CallLimit } from "./call-limit.js";
import { BLOCKED, CallReport } from "./call-report.js";
import { asSentence, describeRefusal, describeThrown } from "./describe-failure.js";
import { takeKey } from "./idempotency-key.js";
import { type JudgedResult, judgeResult } from "./judge-result.js";
import { keepState } from "./keep-state.js";
import { knownFiles } from "./known-files.js";
import { isParkedRun, parkFor } from "./park-call.js";
import { parseArguments } from "./parse-arguments.js";
import { recordChanges } from "./record-changes.js";
import type { ToolOutcome } from "./tool-outcome.js";
import type { OrderedToolCall } from "./turn-order.js";
import { type UndoneCall, undoCall } from "./undo-call.js";

/**
 * One call of a tool, as a transaction over files and session.
 *
 * It has two phases. `prepare` decides whether the handler may run: it parses and validates the
 * arguments, asks the policies and takes the budget. `settle` begins the transaction, runs the
 * handler, judges its result, and commits or rolls back.
 */
export class ToolCall {
  readonly #tool: RenderedTool;
  readonly #options: OrderedToolCall;
  readonly #scope: CallScope;
  readonly #limit: CallLimit;
  readonly #report: CallReport;
  readonly #transaction: CallTransaction;
  #opened: OpenedCall | undefined;

  /** Takes the call's position in the queues. */
  constructor(tool: RenderedTool, options: OrderedToolCall, outer: CallScope | undefined) {
    const { session, signal, deadline } = options;
    this.#tool = tool;
    this.#options = options;
    this.#scope = new CallScope(locksOf(tool, session), outer);
    if (firstAccess(tool) !== tool.access) this.#scope.takeExclusive = () => this.#takeExclusive();
    const hasTimeout = tool.timeoutMs !== undefined;
    this.#limit = new CallLimit([signal, outer?.ending], deadline, hasTimeout);
    this.#report = new CallReport(options);
    this.#transaction = new CallTransaction({
      scope: this.#scope,
      session,
      filesystem: tool.filesystem ?? missingFilesystem,
      meta: this.#report.meta,
      tool: tool.name,
      limit: this.#limit,
      settleMs: this.#report.limits.settleMs,
    });
  }

  /** Never rejects. */
  async run(): Promise<ToolOutcome> {
    try {
      const turn = this.#scope.ticket.wait();
      if (turn !== undefined) await this.#limit.race(turn);
      if (this.#isBlocked()) return this.#report.failed("refused", BLOCKED);
      if (!this.#recordStart())
        return this.#report.failed(
          "refused",
          "The call could not be recorded, so it was not made.",
        );
      const prepared = await this.#prepare();
      return "status" in prepared ? prepared : await this.#settle(prepared);
    } catch (error) {
      return await this.#endWithError(error);
    } finally {
      await this.#close();
    }
  }

  /** Parses, validates and authorises the call. If it returns an outcome, nothing has changed. */
  async #prepare(): Promise<PolicyCall | ToolOutcome> {
    const [tool, limit, report] = [this.#tool, this.#limit, this.#report];
    const sent = parseArguments(this.#options.call.arguments, report.limits);
    if (!sent.success) return report.failed("invalid", sent.message, { hint: sent.hint });
    const parsed = await limit.race(parseInput(tool, sent.value));
    if (!parsed.success) return report.failed("invalid", parsed.message, { hint: parsed.hint });

    const call = policyCall(tool, parsed.value, this.#open().context);
    if (tool.policies.length > 0) {
      const onError = (error: unknown, policy: string) => report.tell(error, `policy ${policy}`);
      const decision = await limit.race(decide(call, this.#options, onError));
      if (!decision.allowed) this.#holdBack();
      if (!decision.allowed) return report.failed("denied", decision.reason);
    }
    const refusal = refusalInside(this.#scope.outer, tool, this.#options.session);
    if (refusal !== undefined) return report.failed("refused", refusal);
    try {
      this.#options.budget?.take({ toolCalls: 1 });
    } catch {
      return report.failed("refused", "The budget of this task is used up.");
    }
    this.#options.onAccept?.();
    return call;
  }

  async #settle(call: PolicyCall): Promise<ToolOutcome> {
    const [tool, transaction] = [this.#tool, this.#transaction];
    if (this.#options.order?.mayNotStart()) throw this.#limit.park();
    this.#limit.startTimeout(tool.timeoutMs);
    // Not raced against a timeout, because a half-begun transaction could be neither used nor
    // ended.
    const beginning = transaction.begin(firstAccess(tool));
    if (beginning) await beginning;
    this.#limit.throwIfCancelled();
    this.#report.start();
    const session = resourceOf(this.#options.session);
    // A process that takes over must know that the call may have acted outside.
    if (tool.effects === "external") await session.flush?.();
    const { result, text } = await this.#runHandler(call);
    if (tool.effects === "workspace") this.#holdBack();
    if (!result.success) return await this.#fail(result);
    // For a call that only reads, the next steps are synchronous.
    const telling = this.#tellPolicies(call, result);
    if (telling) await telling;
    const revoking = transaction.revoke();
    if (revoking) await revoking;
    if (transaction.hasUnrecordedChanges) await recordChanges(tool, transaction, this.#options);
    const keeping = this.#keepState(false);
    const snapshot = keeping && (await keeping);
    const files = knownFiles(call, result, transaction, this.#report);
    const facts = { snapshot, files, changes: transaction.changeCount };
    this.#report.answer("succeeded", result, text, { facts });
    const end = () => this.#report.ended("succeeded", result, text, facts);
    const ended = session.endsInCommit ? end() : undefined;
    const committing = transaction.commit();
    if (committing) await this.#settleCommit(committing);
    if (snapshot !== undefined && tool.filesystem) resourceOf(tool.filesystem).state = snapshot;
    const { bytesWritten } = transaction;
    if (bytesWritten > 0) this.#options.budget?.spend({ bytesWritten });
    return ended ?? end();
  }

  /**
   * Runs the handler and checks its result. A thrown error becomes a failure. Rejects if the call
   * is cancelled.
   */
  async #runHandler({ input, context }: PolicyCall): Promise<JudgedResult> {
    const [tool, limit, report] = [this.#tool, this.#limit, this.#report];
    try {
      // Handlers may return a foreign thenable.
      const answer = await limit.race(Promise.resolve(tool.handler(input, context)));
      const judged = await limit.race(judgeResult(tool, answer, report.limits));
      const { problem: reason } = judged;
      if (reason !== undefined) {
        const subject = `tool '${tool.name}'`;
        report.tell(new AdapterError("RESULT_INVALID", { subject, reason }), `tool ${tool.name}`);
      }
      return judged;
    } catch (error) {
      if (limit.cancelled !== undefined) throw error;
      if (isParkedRun(error)) throw limit.park();
      report.tell(error, `tool ${tool.name}`);
      const result = fail(describeThrown(tool.name, error));
      return { result, text: result.message };
    }
  }

  /** For a handler that has worked on a fork and now wants to change the files. */
  async #takeExclusive(): Promise<void> {
    const turn = this.#scope.ticket.upgrade();
    if (turn !== undefined) await this.#report.wait(async () => await this.#limit.race(turn));
    if (this.#isBlocked()) throw new Error(BLOCKED);
    await this.#transaction.begin(this.#tool.access);
  }

  /** What policies record belongs to the call. Their errors do not make it fail. */
  #tellPolicies(call: PolicyCall, result: ToolSuccess): Promise<void> | undefined {
    this.#transaction.letPoliciesRecord();
    const telling = tellPolicies(call, result);
    const tell = (error: unknown) => this.#report.tell(error, "policies");
    return telling && withTimeout(this.#report.limits.settleMs, telling).catch(tell);
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
      blockCalls(this.#resources(), async () => transaction.commit());
      this.#report.tell(error, "commit");
    }
  }

  async #fail({
    message,
    hint,
  }: JudgedResult["result"] & { success: false }): Promise<ToolOutcome> {
    const { sentence, undone } = await this.#undo("the tool failed");
    const maxCharacters = this.#report.limits.maxAnswerCharacters;
    const text = sentence === "" ? message : `${asSentence(message)} ${sentence}`;
    return this.#report.failed("failed", text, { hint, undone, maxCharacters, reason: message });
  }

  /** Handles errors outside the handler: the call was cancelled, or files or session failed. */
  async #endWithError(error: unknown): Promise<ToolOutcome> {
    const [{ name }, report, { cancelled }] = [this.#tool, this.#report, this.#limit];
    if (cancelled === "parked") this.#options.order?.park();
    const { sentence, undone } = await this.#undo(cancelled ?? "the call failed");
    // The reason of an abort or a timeout is not an error of the tool.
    if (error !== this.#limit.reason) report.tell(error, `tool ${name}`);
    if (cancelled !== undefined) return report.cancelled(cancelled, sentence, undone);
    const refusal = describeRefusal(name, error);
    if (refusal !== undefined) return report.failed("refused", refusal);
    const message = describeThrown(name, error);
    return report.failed("failed", sentence === "" ? message : `${message} ${sentence}`, {
      reason: message,
      undone,
    });
  }

  #undo(reason: string): Promise<UndoneCall> {
    const { access } = this.#tool;
    const [transaction, report, resources] = [this.#transaction, this.#report, this.#resources()];
    const keepUndone = () => this.#keepState(true);
    return undoCall(reason, { transaction, access, report, resources, keepUndone });
  }

  #keepState(isUndone: boolean): Promise<string | undefined> | undefined {
    const [tool, scope, transaction] = [this.#tool, this.#scope, this.#transaction];
    const { toolCallId } = this.#options.call;
    return keepState({ tool, scope, transaction, toolCallId }, isUndone);
  }

  /** An earlier call of the turn waits. This one is then made again too, so that it comes after it. */
  #holdBack(): void {
    if (this.#options.order?.isHeldBack()) throw this.#limit.park();
  }

  #recordStart(): boolean {
    const { name, access, effects } = this.#tool;
    const { toolCallId } = this.#options.call;
    const { position } = this.#report;
    return this.#report.record(() =>
      StartToolCall({ toolCallId, tool: name, access, effects, ...position }),
    );
  }

  #isBlocked(): boolean {
    return this.#resources().some(({ failedRollbacks }) => failedRollbacks.length > 0);
  }

  #resources() {
    const session = resourceOf(this.#options.session);
    const { filesystem } = this.#tool;
    return filesystem === undefined ? [session] : [session, resourceOf(filesystem)];
  }

  #open(): OpenedCall {
    const { rendered, adapter, deadline, budget, call, session } = this.#options;
    const idempotencyKey = takeKey(this.#options);
    const [limit, tool, transaction] = [this.#limit, this.#tool, this.#transaction];
    this.#opened = openToolCall({
      ...{ rendered, adapter, deadline, budget, tool, idempotencyKey },
      ...{ toolCallId: call.toolCallId, signal: limit.signal },
      ...{ session: transaction.session, filesystem: transaction.filesystem },
      park: parkFor(session, idempotencyKey, limit),
    });
    return this.#opened;
  }

  async #close(): Promise<void> {
    try {
      const closing = this.#opened?.close();
      if (closing) await withTimeout(this.#report.limits.settleMs, closing);
    } catch (error) {
      this.#report.tell(error, "resources");
    } finally {
      this.#limit.close();
      this.#scope.ticket.release();
    }
  }
}
