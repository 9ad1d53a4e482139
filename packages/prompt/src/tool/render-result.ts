import { requireMember } from "../error/check-options.js";
import type { Tool } from "../protocol/tool.js";
import type { ToolResult } from "../protocol/tool-result.js";

/** The text of a result for the model: the message, then the value or the hint. */
export function renderResult<Value>(
  tool: Pick<Tool<string, unknown, Value>, "render">,
  result: ToolResult<Value>,
): string {
  requireMember("renderResult", result, "success", "the result of a handler");
  const { message } = result;
  if (!result.success) return result.hint === undefined ? message : `${message}\n${result.hint}`;
  const { value } = result;
  const shown = tool.render ? tool.render(value) : JSON.stringify(value);
  return shown === undefined || shown === "" ? message : `${message}\n\n${shown}`;
}
