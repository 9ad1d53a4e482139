import { resourceOf } from "../transaction/call-resource.js";
import { CallScope, scopeAround } from "../transaction/call-scope.js";
import { CallReport } from "./call-report.js";
import type { RunToolCallOptions } from "./run-tool-call-options.js";
import { ToolCall } from "./tool-call.js";
import type { ToolOutcome } from "./tool-outcome.js";

/**
 * Runs one tool call as a transaction over files and session: it is committed or leaves no trace.
 *
 * Never rejects. Unknown tools, bad arguments, denials, failures, timeouts and aborts are
 * outcomes with an answer for the model. Calls are ordered by when this function is called:
 * reading calls overlap, all others run one at a time. If a call cannot be rolled back, every
 * later call is refused until `recover`.
 */
export function runToolCall(options: RunToolCallOptions): Promise<ToolOutcome> {
  const { rendered, session, call } = options;
  const tool = rendered.tool(call.toolName);
  const outer = scopeAround(session, tool?.filesystem);
  const outcome =
    tool === undefined ? refuseUnknown(options, outer) : new ToolCall(tool, options, outer).run();
  outer?.track(outcome);
  return outcome;
}

/** Waits for earlier calls, because a rollback of one of them would also remove this answer. */
async function refuseUnknown(
  options: RunToolCallOptions,
  outer: CallScope | undefined,
): Promise<ToolOutcome> {
  const report = new CallReport(options);
  const resource = resourceOf(options.session);
  const { ticket } = new CallScope([{ resource, mode: "shared" }], outer);
  await ticket.wait();
  try {
    return report.unknown();
  } finally {
    ticket.release();
  }
}
