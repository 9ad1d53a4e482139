import type { PolicyCall } from "../protocol/policy.js";
import type { ToolResult, ToolSuccess } from "../protocol/tool-result.js";
import { CallTool, ToolCallCounts } from "../tool/tool-calls.js";

/**
 * Records a finished call in the session's log. If the call succeeded, it also notifies the tool's
 * policies. Adapters call it after the call is committed or rolled back.
 */
export function recordToolCall(call: PolicyCall, result: ToolResult): Promise<void> | undefined {
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
  if (!result.success || tool.policies.length === 0) return undefined;
  return tellPolicies(call, result);
}

async function tellPolicies(call: PolicyCall, result: ToolSuccess): Promise<void> {
  for (const policy of call.tool.policies) await policy.succeeded?.(call, result);
}
