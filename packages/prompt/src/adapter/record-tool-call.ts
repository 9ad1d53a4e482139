import type { FileStat } from "@wink/filesystem";
import { requireFunction, requireMember } from "../error/check-options.js";
import type { PolicyCall } from "../protocol/policy.js";
import type { RenderedTool } from "../protocol/rendered-prompt.js";
import type { ToolContext } from "../protocol/tool-context.js";
import type { ToolResult, ToolSuccess } from "../protocol/tool-result.js";
import { changesOf, viewsOf } from "../tool/declared-files.js";
import { type EndedToolCall, EndToolCall, type ToolCallFile } from "../tool/tool-calls.js";

/** Describes a call for the policies of its tool. Asks the tool once which files it will change. */
export function policyCall(tool: RenderedTool, input: unknown, context: ToolContext): PolicyCall {
  requireMember("policyCall", tool, "name", "a tool of the prompt");
  return { tool, input, context, changes: changesOf(tool, input) };
}

/**
 * Calls `succeeded` of the tool's policies when the handler has succeeded. Adapters call it before the call is
 * committed. Returns `undefined`, not a promise, if no policy has a `succeeded`.
 */
export function tellPolicies(call: PolicyCall, result: ToolSuccess): Promise<void> | undefined {
  requireMember("tellPolicies", call?.tool, "policies", "the result of policyCall()");
  const told = call.tool.policies.filter(({ succeeded }) => succeeded !== undefined);
  return told.length === 0 ? undefined : tellEach(told, call, result);
}

async function tellEach(
  policies: PolicyCall["tool"]["policies"],
  call: PolicyCall,
  result: ToolSuccess,
): Promise<void> {
  for (const policy of policies) await policy.succeeded?.(call, result);
}

/**
 * The files that the model knows after a successful call, for the event {@link EndToolCall}.
 *
 * @param seen what the filesystem reported in the call about a path that the handler used: the real
 *   path, and the revision if it was written
 */
export function filesAfter(
  call: PolicyCall,
  result: ToolSuccess,
  seen: (path: string) => Pick<FileStat, "path" | "revision"> | undefined,
): NonNullable<EndedToolCall["files"]> {
  requireMember("filesAfter", call?.tool, "name", "the result of policyCall()");
  requireMember("filesAfter", result, "value", "the handler's result");
  requireFunction("filesAfter", seen, "a function of a path");
  const { tool, input, changes } = call;
  const { value } = result;
  const { workspace } = tool;
  const changed = changes.flatMap(({ path, extent }): ToolCallFile[] => {
    const { path: real = path, revision } = seen(path) ?? {};
    if (revision !== undefined) return [{ workspace, path: real, how: extent, revision }];
    return extent === "transfer" ? [{ workspace, path: real, how: extent }] : [];
  });
  return [
    ...changed,
    ...viewsOf(tool, input, value).map(
      ({ path, revision, offset, lineCount, totalLines }): ToolCallFile => {
        const lines = [offset, lineCount, totalLines];
        return { workspace, path: seen(path)?.path ?? path, how: "view", revision, lines };
      },
    ),
  ];
}

/**
 * Records the end of a call in the session, and tells the policies. For a loop without
 * transactions.
 */
export async function recordToolCall(
  call: PolicyCall,
  result: ToolResult,
  seen: Parameters<typeof filesAfter>[2] = () => undefined,
): Promise<void> {
  requireMember("recordToolCall", call?.context, "session", "the result of policyCall()");
  requireMember("recordToolCall", result, "success", "the handler's result");
  const { prompt, session, toolCallId } = call.context;
  if (result.success) await tellPolicies(call, result);
  session.dispatch(
    EndToolCall({
      toolCallId,
      prompt: `${prompt.ns}/${prompt.key}`,
      tool: call.tool.name,
      status: result.success ? "succeeded" : "failed",
      success: result.success,
      durationMs: 0,
      sequence: session.sequence,
      ...(result.success && { files: filesAfter(call, result, seen) }),
    }),
  );
}
