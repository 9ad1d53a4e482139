export { runToolCall } from "./calls/run-tool-call.js";
export type { RunToolCallOptions, ToolCallRequest } from "./calls/run-tool-call-options.js";
export type { ToolCallStatus, ToolOutcome } from "./calls/tool-outcome.js";
export { type CallLimits, DEFAULT_CALL_LIMITS } from "./limits.js";
export {
  BudgetExhausted,
  ModelRetried,
  PromptExecuted,
  PromptRendered,
  ToolCallStarted,
  ToolInvoked,
  ToolRolledBack,
} from "./run-events.js";
export { recover } from "./transactions/poison.js";
