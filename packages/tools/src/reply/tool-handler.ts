import { fail, noWorkspace, type ToolContext, type ToolResult } from "@wink/prompt";
import { z } from "zod";
import { answerError, type NameTool } from "./answer-error.js";
import { clipText } from "./clip-text.js";

const LONGEST_REFUSAL = 2_000;

export interface HandlerOptions<Input extends z.ZodType, Value> {
  readonly input: Input;
  /** Whether it can do nothing without files. @default true */
  readonly needsFiles?: boolean;
  /** @default every tool has its own name */
  readonly nameTool?: NameTool;
  run(input: z.output<Input>, context: ToolContext): Promise<ToolResult<Value>> | ToolResult<Value>;
}

/** Answers a call, whatever the input. Rejects only when `context.signal` has aborted. */
export type Handler<Input extends z.ZodType, Value> = (
  input: z.input<Input>,
  context: ToolContext,
) => Promise<ToolResult<Value>>;

/**
 * A handler that a model cannot make throw.
 *
 * It checks its input itself, so that it can be called directly, answers when the
 * context has no files, and turns what is thrown into an answer made for a model.
 */
export function toolHandler<Input extends z.ZodType, Value>(
  options: HandlerOptions<Input, Value>,
): Handler<Input, Value> {
  const { input: schema, needsFiles = true, nameTool = (name) => name } = options;
  return async (input, context) => {
    const parsed = schema.safeParse(input);
    if (!parsed.success) return refuse(parsed.error);
    if (needsFiles && !hasFiles(context))
      return fail("There is no filesystem here, so there are no files to work on.");
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
  const problems = clipText(z.prettifyError(error), { maxCharacters: LONGEST_REFUSAL });
  return fail(`The input does not fit.\n${problems}`, {
    hint: "Call it again with these corrected.",
  });
}
