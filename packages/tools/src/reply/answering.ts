import type { ToolContext, ToolResult } from "@wink/prompt";
import { checkValue } from "../error/check-options.js";
import { answerError, type NameTool } from "./answer-error.js";

type Answer<Value> = Promise<ToolResult<Value>> | ToolResult<Value>;

/** Makes a handler that turns errors into answers for a model. It rejects only if `context.signal` has aborted. */
export function answering<Input, Value>(
  nameTool: NameTool,
  handler: (input: Input, context: ToolContext) => Answer<Value>,
): (input: Input, context: ToolContext) => Promise<ToolResult<Value>> {
  return async (input, context) => {
    // Only JavaScript can call a handler like this; a loop passes parsed input and a context.
    checkValue("handler: input", input, "object");
    checkValue("handler: context", context, "object");
    checkValue("handler: context.signal", context.signal, "signal");
    try {
      return await handler(input, context);
    } catch (error) {
      context.signal.throwIfAborted();
      return answerError(error, nameTool);
    }
  };
}
