import type { RenderedTool, ToolContext } from "@wink/prompt";
import { noWorkspace, openToolCall, type ToolCall } from "@wink/prompt/adapter";
import type { CallTransaction } from "../transaction/call-transaction.js";
import { within } from "../transaction/within.js";
import type { CallLimit } from "./call-limit.js";
import type { CallReport } from "./call-report.js";
import type { RunToolCallOptions } from "./run-tool-call-options.js";

export interface CallContextsOptions {
  readonly tool: RenderedTool;
  readonly limit: CallLimit;
  readonly report: CallReport;
  readonly run: RunToolCallOptions;
}

/** Creates the contexts for a call's handler and policies, and closes them when the call ends. */
export class CallContexts {
  readonly #options: CallContextsOptions;
  readonly #opened: ToolCall[] = [];

  constructor(options: CallContextsOptions) {
    this.#options = options;
  }

  forHandler(transaction: Pick<CallTransaction, "session" | "filesystem">): ToolContext {
    return this.#open(transaction);
  }

  /**
   * Uses the session and files directly. Without policies, nothing needs to be opened or closed.
   */
  forRules(): ToolContext {
    const { tool, limit, run } = this.#options;
    if (tool.policies.length > 0) return this.#open({});
    return new UnseenContext(tool, limit, run);
  }

  /** Closes synchronously and returns `undefined` if nothing asynchronous has to be closed. */
  close(): Promise<void> | undefined {
    for (let opened = this.#opened.shift(); opened; opened = this.#opened.shift()) {
      const closing = opened.close();
      if (closing !== undefined) return this.#closeAfter(closing);
    }
    return undefined;
  }

  async #closeAfter(closing: Promise<void>): Promise<void> {
    const { report } = this.#options;
    try {
      await within(report.limits.settleMs, closing);
    } catch (error) {
      report.tell(error, "resources");
    }
    await this.close();
  }

  #open(handles: Partial<Pick<CallTransaction, "session" | "filesystem">>): ToolContext {
    const { tool, limit, run } = this.#options;
    const { rendered, adapter, deadline, budget, call } = run;
    const opened = openToolCall({
      rendered,
      tool,
      adapter,
      session: handles.session ?? run.session,
      toolCallId: call.toolCallId,
      signal: limit.signal,
      deadline,
      budget,
      filesystem: handles.filesystem,
    });
    this.#opened.push(opened);
    return opened.context;
  }
}

/** A context that only the recording of the call reads. Its signal is created on first use. */
class UnseenContext implements ToolContext {
  readonly prompt: ToolContext["prompt"];
  readonly renderedPrompt: ToolContext["renderedPrompt"];
  readonly adapter: ToolContext["adapter"];
  readonly session: ToolContext["session"];
  readonly filesystem: ToolContext["filesystem"];
  readonly deadline: ToolContext["deadline"];
  readonly budget: ToolContext["budget"];
  readonly toolCallId: string;
  readonly #limit: CallLimit;

  constructor(tool: RenderedTool, limit: CallLimit, run: RunToolCallOptions) {
    this.prompt = run.rendered.prompt;
    this.renderedPrompt = run.rendered;
    this.adapter = run.adapter;
    this.session = run.session;
    this.filesystem = tool.filesystem ?? noWorkspace;
    this.deadline = run.deadline;
    this.budget = run.budget;
    this.toolCallId = run.call.toolCallId;
    this.#limit = limit;
  }

  get signal(): AbortSignal {
    return this.#limit.signal;
  }
}
