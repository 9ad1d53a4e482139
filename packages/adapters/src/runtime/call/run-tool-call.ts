import {
  invalid,
  requireMethod,
  requireOptions,
  requireSession,
} from "../context/require-options.js";
import { resourceOf } from "../transaction/call-resource.js";
import { CallScope, scopeAround } from "../transaction/call-scope.js";
import { CallReport } from "./call-report.js";
import type { RunToolCallOptions } from "./run-tool-call-options.js";
import { ToolCall } from "./tool-call.js";
import type { ToolOutcome } from "./tool-outcome.js";

const OPTIONS = [
  ...["rendered", "call", "adapter", "session", "deadline", "budget", "signal", "limits"],
  "onError",
  "run",
  "turn",
  "onAccept",
  "onApproval",
  // Only the loop passes it.
  "order",
];

/**
 * Runs one tool call as a transaction over files and session: it is committed or leaves no trace.
 *
 * Never rejects, and throws only for a wrong argument. Unknown tools, bad arguments, denials, failures, timeouts and aborts are
 * outcomes with an answer for the model. Calls are ordered by when this function is called:
 * reading calls overlap, all others run one at a time. If a call cannot be rolled back, every
 * later call is refused until `recover`.
 */
export function runToolCall(options: RunToolCallOptions): Promise<ToolOutcome> {
  requireOptions("runToolCall", options, OPTIONS);
  const { rendered, session, call } = options;
  requireMethod("rendered", rendered, { name: "tool", expected: "the result of prompt.render()" });
  requireMethod("adapter", options.adapter, { name: "evaluate", expected: "an adapter" });
  requireSession("runToolCall", session);
  if (typeof call?.toolName !== "string")
    throw invalid("call", "expected an object with toolCallId, toolName and arguments.");
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
