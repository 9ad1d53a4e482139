export { AgentLoop } from "./agent-loop/agent-loop.js";
export type {
  AgentLoopEvent,
  AgentLoopOptions,
  AgentLoopStep,
  BackOffOptions,
} from "./agent-loop/agent-loop-options.js";
export { type Clock, systemClock } from "./agent-loop/clock.js";
export { type EvaluateRequestsOptions, evaluateRequests } from "./agent-loop/evaluate-requests.js";
export {
  InMemoryRequestQueue,
  type InMemoryRequestQueueOptions,
} from "./agent-loop/in-memory-request-queue.js";
export type { RequestContext, RequestHandler } from "./agent-loop/request-handler.js";
export type {
  DeadLetter,
  DeadLetterReason,
  LeasedRequest,
  NewRequest,
  QueuedRequest,
  RequestEnding,
  RequestQueue,
} from "./agent-loop/request-queue.js";
export { type KeepStatesOptions, keepStates, lastSnapshotId } from "./calls/keep-states.js";
export { runToolCall } from "./calls/run-tool-call.js";
export type { RunToolCallOptions, ToolCallRequest } from "./calls/run-tool-call-options.js";
export type { ToolCallStatus, ToolOutcome } from "./calls/tool-outcome.js";
export { type CallLimits, DEFAULT_CALL_LIMITS } from "./limits.js";
export type { RetryOptions } from "./loop/ask-model.js";
export { ModelAdapter, type ModelAdapterOptions } from "./loop/model-adapter.js";
export type {
  AskOptions,
  ModelClient,
  ModelMessage,
  ModelRequest,
  ModelTool,
  ModelToolCall,
  ModelTurn,
  ModelUsage,
  ProviderData,
} from "./loop/model-client.js";
export {
  isModelError,
  ModelError,
  type ModelErrorCode,
  type ModelErrorOptions,
} from "./loop/model-error.js";
export type { ModelPrices } from "./loop/model-prices.js";
export { isRunError, RunError, type RunErrorCode, type RunErrorOptions } from "./loop/run-error.js";
export type { RunTelemetry, RunWatch, WatchedRun } from "./loop/run-telemetry.js";
export {
  BudgetExhausted,
  ModelRetried,
  PromptExecuted,
  PromptRendered,
  ToolCallStarted,
  ToolInvoked,
  ToolRolledBack,
} from "./run-events.js";
export {
  defineSubagentTool,
  type SubagentReport,
  type SubagentToolOptions,
} from "./subagents/define-subagent-tool.js";
export {
  type EvaluateOnForkOptions,
  evaluateOnFork,
  type SubagentResult,
} from "./subagents/evaluate-on-fork.js";
export type {
  MergeConflict,
  MergeConflictReason,
  MergeReport,
} from "./subagents/merge-conflict.js";
export type { OnConflict } from "./subagents/merge-fork.js";
export type { RunOnForkOptions } from "./subagents/run-on-fork.js";
export type { SubagentBudget } from "./subagents/subagent-budget.js";
export {
  isSubagentError,
  SubagentError,
  type SubagentErrorCode,
} from "./subagents/subagent-error.js";
export { recover } from "./transactions/poison.js";
