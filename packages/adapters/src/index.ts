export { type Agent, type AgentContext, type AgentWorkspace, defineAgent } from "./agent/agent.js";
export {
  AdapterError,
  isAdapterError,
} from "./error/adapter-error.js";
export {
  isModelError,
  ModelError,
} from "./error/model-error.js";
export {
  isRunError,
  RunError,
} from "./error/run-error.js";
export type { InteropOptions } from "./interop/interop-options.js";
export type { ProviderOptions } from "./providers/provider-options.js";
export { keepContents } from "./runtime/call/keep-contents.js";
export { runToolCall } from "./runtime/call/run-tool-call.js";
export type { RunToolCallOptions, ToolCallRequest } from "./runtime/call/run-tool-call-options.js";
export type { ToolCallStatus, ToolOutcome } from "./runtime/call/tool-outcome.js";
export { type CallLimits, DEFAULT_CALL_LIMITS } from "./runtime/context/limits.js";
export {
  BudgetExhausted,
  ContextCompacted,
  ModelRetried,
  PromptExecuted,
  PromptRendered,
} from "./runtime/context/run-events.js";
export type { RetryOptions } from "./runtime/loop/ask-model.js";
export type {
  ContextChange,
  ContextState,
  ContextSummary,
  SystemText,
} from "./runtime/loop/context-state.js";
export type { ContextOptions } from "./runtime/loop/context-window.js";
export { findKnownModel, KNOWN_MODELS, type KnownModel } from "./runtime/loop/known-models.js";
export type { AddedMessage, LoopState, OpenTurn } from "./runtime/loop/loop-state.js";
export {
  type EvaluateRunOptions,
  ModelAdapter,
  type ModelAdapterOptions,
} from "./runtime/loop/model-adapter.js";
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
} from "./runtime/loop/model-client.js";
export type { ModelPrices } from "./runtime/loop/model-prices.js";
export type { RunTelemetry, RunWatch, WatchedRun } from "./runtime/loop/run-telemetry.js";
export {
  defineSubagentTool,
  type SubagentReport,
  type SubagentToolOptions,
} from "./runtime/subagent/define-subagent-tool.js";
export {
  type EvaluateOnForkOptions,
  evaluateOnFork,
  type SubagentResult,
} from "./runtime/subagent/evaluate-on-fork.js";
export type {
  MergeConflict,
  MergeReport,
} from "./runtime/subagent/merge-conflict.js";
export type { RunOnForkOptions } from "./runtime/subagent/run-on-fork.js";
export type { ContentSink } from "./runtime/transaction/call-resource.js";
export { recover } from "./runtime/transaction/failed-rollbacks.js";
export { AgentLoop, type AgentLoopStatus } from "./worker/agent-loop.js";
export type {
  AgentLoopEvent,
  AgentLoopOptions,
} from "./worker/agent-loop-options.js";
export type { Clock } from "./worker/clock.js";
export { type EvaluateRequestsOptions, evaluateRequests } from "./worker/evaluate-requests.js";
export { InMemoryRequestQueue } from "./worker/in-memory-request-queue.js";
export type { RequestContext, RequestHandler } from "./worker/request-handler.js";
export type {
  DeadLetter,
  LeasedRequest,
  ListedRequest,
  NewRequest,
  QueuedRequest,
  RequestCounts,
  RequestEnding,
  RequestPriority,
  RequestQueue,
  RequestReply,
  TakeOptions,
} from "./worker/request-queue.js";
