import type { PolicyCall } from "./policy.js";
import { CallTool, ToolCallCounts } from "./tool-calls.js";
import type { ToolResult } from "./tool-result.js";

/**
 * Notes a call that was run: in the session's log, and with the rules of the tool
 * when it succeeded. Adapters call it once the call is committed or undone.
 */
export async function recordToolCall(call: PolicyCall, result: ToolResult): Promise<void> {
  const { tool, context } = call;
  const { prompt, session } = context;
  session.install(ToolCallCounts);
  session.dispatch(
    CallTool({
      prompt: `${prompt.ns}/${prompt.key}`,
      tool: tool.name,
      success: result.success,
    }),
  );
  if (!result.success) return;
  for (const policy of tool.policies) await policy.succeeded?.(call, result);
}
