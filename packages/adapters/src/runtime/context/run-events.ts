import { defineEvent } from "@wink/session";
import { eventFields } from "./event-fields.js";

/** The prompt was rendered for a turn of the model. */
export const PromptRendered = defineEvent(
  "run.render-prompt",
  eventFields({ prompt: "text", turn: "amount", characters: "amount", tools: "amount" }),
);

/** A call is about to start. Everything before it is committed. */
export const ToolCallStarted = defineEvent(
  "run.start-tool-call",
  eventFields({ toolCallId: "text", tool: "text", access: "text" }),
);

/**
 * A call has ended. Its changes are committed if `success` is true, and rolled back otherwise.
 * `sequence` is the last event of the resulting state. `snapshot` is the id of the files'
 * snapshot if `keepStates` is on.
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
 * A call was rolled back: changes to `paths`, and `events` session events. If `complete` is
 * false, files or session could not be restored, and calls are refused until `recover`.
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

/** A request to the model failed and will be retried. */
export const ModelRetried = defineEvent(
  "run.retry-model",
  eventFields({ turn: "amount", attempt: "amount", reason: "text", delayMs: "amount" }),
);

/** A limit of the budget is used up. */
export const BudgetExhausted = defineEvent(
  "run.exhaust-budget",
  eventFields({ turn: "amount", what: "text" }),
);

/** The run of a prompt has ended. `finishReason` is a `FinishReason`, `failed` or `aborted`. */
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
