import type { ToolContext, ToolResult } from "@wink/prompt";
import { answerError, type NameTool } from "./answer-error.js";

type Answer<Value> = Promise<ToolResult<Value>> | ToolResult<Value>;

/** Makes a handler that turns errors into answers for a model. It rejects only if `context.signal` has aborted. */
export function answering<Input, Value>(
  nameTool: NameTool,
  handler: (input: Input, context: ToolContext) => Answer<Value>,
): (input: Input, context: ToolContext) => Promise<ToolResult<Value>> {
  return async (input, context) => {
    try {
      return await handler(input, context);
    } catch (error) {
      context.signal.throwIfAborted();
      return answerError(error, nameTool);
    }
  };
}
