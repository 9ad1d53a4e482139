import { jsonSchema } from "@wink/prompt";
import { defineEvent } from "@wink/session";

const text = { type: "string" };
const count = { type: "integer", minimum: 0 };
const amount = { type: "number", minimum: 0 };
const flag = { type: "boolean" };

/** A closed object of these fields, all of them there. */
function fields<Payload>(properties: Readonly<Record<string, unknown>>) {
  return jsonSchema<Payload>({
    type: "object",
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  });
}

/** The prompt was rendered for a turn of the model. */
export const PromptRendered = defineEvent(
  "run.render-prompt",
  fields<{
    readonly prompt: string;
    readonly turn: number;
    readonly characters: number;
    readonly tools: number;
  }>({ prompt: text, turn: count, characters: count, tools: count }),
);

/** A call is about to be made: all before it is in force, whatever becomes of it. */
export const ToolCallStarted = defineEvent(
  "run.start-tool-call",
  fields<{ readonly toolCallId: string; readonly tool: string; readonly access: string }>({
    toolCallId: text,
    tool: text,
    access: text,
  }),
);

/** A call has ended. What it did is in force when `success` is true, and undone otherwise. */
export const ToolInvoked = defineEvent(
  "run.invoke-tool",
  fields<{
    readonly toolCallId: string;
    readonly tool: string;
    readonly status: string;
    readonly success: boolean;
    readonly durationMs: number;
    /** The last event of the state that the call left behind. */
    readonly sequence: number;
  }>({
    toolCallId: text,
    tool: text,
    status: text,
    success: flag,
    durationMs: amount,
    sequence: count,
  }),
);

/** What a call had done was taken back. */
export const ToolRolledBack = defineEvent(
  "run.roll-back-tool",
  fields<{
    readonly toolCallId: string;
    readonly tool: string;
    readonly reason: string;
    readonly paths: readonly string[];
    readonly events: number;
    /** Whether files and session are both back; if not, calls are refused until `recover`. */
    readonly complete: boolean;
  }>({
    toolCallId: text,
    tool: text,
    reason: text,
    paths: { type: "array", items: text },
    events: count,
    complete: flag,
  }),
);

/** The model could not be asked and will be again. */
export const ModelRetried = defineEvent(
  "run.retry-model",
  fields<{
    readonly turn: number;
    readonly attempt: number;
    readonly reason: string;
    readonly delayMs: number;
  }>({ turn: count, attempt: count, reason: text, delayMs: amount }),
);

/** Something of the budget ran out. */
export const BudgetExhausted = defineEvent(
  "run.exhaust-budget",
  fields<{ readonly turn: number; readonly what: string }>({ turn: count, what: text }),
);

/** The run of a prompt is over. */
export const PromptExecuted = defineEvent(
  "run.execute-prompt",
  fields<{
    readonly prompt: string;
    /** A `FinishReason`, or `failed` or `aborted`. */
    readonly finishReason: string;
    readonly turns: number;
    readonly toolCalls: number;
    readonly inputTokens: number;
    readonly outputTokens: number;
  }>({
    prompt: text,
    finishReason: text,
    turns: count,
    toolCalls: count,
    inputTokens: count,
    outputTokens: count,
  }),
);
