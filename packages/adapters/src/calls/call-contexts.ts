import type { ToolContext } from "@wink/prompt";
import { noWorkspace, openToolCall, type RenderedTool, type ToolCall } from "@wink/prompt";
import type { CallTransaction } from "../transactions/call-transaction.js";
import { within } from "../transactions/within.js";
import type { CallLimit } from "./call-limit.js";
import type { CallReport } from "./call-report.js";
import type { RunToolCallOptions } from "./run-tool-call-options.js";

export interface CallContextsOptions {
  readonly tool: RenderedTool;
  readonly limit: CallLimit;
  readonly report: CallReport;
  readonly run: RunToolCallOptions;
}

/** What one call gives to its handler and to the rules of its tool, and closes when it is over. */
export class CallContexts {
  readonly #options: CallContextsOptions;
  readonly #opened: ToolCall[] = [];

  constructor(options: CallContextsOptions) {
    this.#options = options;
  }

  forHandler({
    session,
    filesystem,
  }: Pick<CallTransaction, "session" | "filesystem">): ToolContext {
    return this.#open({ session, filesystem });
  }

  /** Session and files themselves. Where no rule sees it, nothing needs to be opened and closed. */
  forRules(): ToolContext {
    const { tool, limit, run } = this.#options;
    if (tool.policies.length > 0) return this.#open({});
    return {
      prompt: run.rendered.prompt,
      renderedPrompt: run.rendered,
      adapter: run.adapter,
      session: run.session,
      filesystem: tool.filesystem ?? noWorkspace,
      deadline: run.deadline,
      budgetTracker: run.budget,
      toolCallId: run.call.toolCallId,
      get signal() {
        return limit.signal;
      },
    };
  }

  async close(): Promise<void> {
    const { report } = this.#options;
    for (let opened = this.#opened.shift(); opened; opened = this.#opened.shift()) {
      try {
        await within(report.limits.settleMs, opened.close());
      } catch (error) {
        report.tell(error, "resources");
      }
    }
  }

  #open(handles: Partial<Pick<CallTransaction, "session" | "filesystem">>): ToolContext {
    const { tool, limit, run } = this.#options;
    const { rendered, adapter, session, deadline, budget, call } = run;
    const { toolCallId } = call;
    const { signal } = limit;
    const { filesystem } = handles;
    const opened = openToolCall({
      rendered,
      tool,
      adapter,
      session: handles.session ?? session,
      toolCallId,
      signal,
      deadline,
      budget,
      filesystem,
    });
    this.#opened.push(opened);
    return opened.context;
  }
}
