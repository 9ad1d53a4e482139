import { fail, type ToolContext, type ToolResult } from "@wink/prompt";
import { noWorkspace } from "@wink/prompt/adapter";
import { z } from "zod";
import { answerError, type NameTool } from "./answer-error.js";
import { clipText } from "./clip-text.js";

const MAX_REFUSAL_CHARACTERS = 2_000;

export interface HandlerOptions<Input extends z.ZodType, Value> {
  readonly input: Input;
  /** Whether the tool needs a filesystem. @default true */
  readonly needsFiles?: boolean;
  /** @default the name without a prefix */
  readonly nameTool?: NameTool;
  run(input: z.output<Input>, context: ToolContext): Promise<ToolResult<Value>> | ToolResult<Value>;
}

/** Answers a call with any input. Rejects only if `context.signal` has aborted. */
export type Handler<Input extends z.ZodType, Value> = (
  input: z.input<Input>,
  context: ToolContext,
) => Promise<ToolResult<Value>>;

/**
 * Creates a handler that never throws because of its input.
 *
 * It validates its input, so that it can be called directly. It answers with a failure if the context has no files,
 * and turns errors into answers for a model.
 */
export function toolHandler<Input extends z.ZodType, Value>(
  options: HandlerOptions<Input, Value>,
): Handler<Input, Value> {
  const { input: schema, needsFiles = true, nameTool = (name) => name } = options;
  return async (input, context) => {
    const parsed = schema.safeParse(input);
    if (!parsed.success) return refuse(parsed.error);
    if (needsFiles && !hasFiles(context))
      return fail("This session has no files, so this tool cannot be used.");
    try {
      return await options.run(parsed.data, context);
    } catch (error) {
      context.signal.throwIfAborted();
      return answerError(error, nameTool);
    }
  };
}

function hasFiles({ filesystem }: Partial<ToolContext>): boolean {
  return filesystem !== undefined && filesystem !== noWorkspace;
}

function refuse(error: z.ZodError) {
  const problems = clipText(z.prettifyError(error), { maxCharacters: MAX_REFUSAL_CHARACTERS });
  return fail(`The input does not fit.\n${problems}`, {
    hint: "Call it again with these corrected.",
  });
}
