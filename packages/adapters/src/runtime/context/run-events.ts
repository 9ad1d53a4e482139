import { defineEvent } from "@wink/session";
import { eventFields } from "./event-fields.js";

/** The prompt was rendered for a turn of the model. */
export const PromptRendered = defineEvent(
  "run.render-prompt",
  eventFields({ prompt: "text", turn: "amount", characters: "amount", tools: "amount" }),
);

/** A call is about to be made: all before it is in force, whatever becomes of it. */
export const ToolCallStarted = defineEvent(
  "run.start-tool-call",
  eventFields({ toolCallId: "text", tool: "text", access: "text" }),
);

/**
 * A call has ended. What it did is in force when `success` is true, and undone
 * otherwise; `sequence` is the last event of the state that it left behind, and
 * `snapshot` the id of the files' snapshot where `keepStates` was asked for.
 */
export const ToolInvoked = defineEvent(
  "run.invoke-tool",
  eventFields({
    toolCallId: "text",
    tool: "text",
    status: "text",
    success: "flag",
    durationMs: "amount",
    sequence: "amount",
    snapshot: "text?",
  }),
);

/**
 * What a call had done was taken back: changes to `paths`, and so many `events`.
 * Where `complete` is false, files and session are not both back, and calls are
 * refused until `recover`.
 */
export const ToolRolledBack = defineEvent(
  "run.roll-back-tool",
  eventFields({
    toolCallId: "text",
    tool: "text",
    reason: "text",
    paths: "texts",
    events: "amount",
    complete: "flag",
  }),
);

/** The model could not be asked and will be again. */
export const ModelRetried = defineEvent(
  "run.retry-model",
  eventFields({ turn: "amount", attempt: "amount", reason: "text", delayMs: "amount" }),
);

/** Something of the budget ran out. */
export const BudgetExhausted = defineEvent(
  "run.exhaust-budget",
  eventFields({ turn: "amount", what: "text" }),
);

/** The run of a prompt is over; `finishReason` is a `FinishReason`, or `failed` or `aborted`. */
export const PromptExecuted = defineEvent(
  "run.execute-prompt",
  eventFields({
    prompt: "text",
    finishReason: "text",
    turns: "amount",
    toolCalls: "amount",
    inputTokens: "amount",
    outputTokens: "amount",
  }),
);
