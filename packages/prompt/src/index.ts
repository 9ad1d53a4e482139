export { resourcesOf } from "./adapter/tool-call.js";
export {
  Budget,
  type BudgetLimits,
  type Spending,
} from "./budget/budget.js";
export { Deadline } from "./budget/deadline.js";
export type { Duration } from "./budget/duration.js";
export {
  isPromptError,
  PromptError,
} from "./error/prompt-error.js";
export {
  deadlineFeedback,
  untouchedFeedback,
} from "./feedback/feedback-providers.js";
export { approveCall, pendingApprovals, rejectCall } from "./policy/approvals.js";
export { readBeforeWrite } from "./policy/read-before-write.js";
export { requireApproval } from "./policy/require-approval.js";
export { sequential } from "./policy/sequential.js";
export type {
  AgentEvent,
  AnswerFacts,
  ModelSource,
  RequestRetried,
  ToolCallFinished,
} from "./protocol/agent-event.js";
export type { ApprovalAnswer, ApprovalQuestion, OnApproval } from "./protocol/approval.js";
export type { BoundPrompt, RenderOptions } from "./protocol/bound-prompt.js";
export type { CompletionCheck, CompletionMoment } from "./protocol/completion.js";
export type {
  ConversationMessage,
  HistoryMessage,
  UserMessage,
} from "./protocol/conversation-message.js";
export type { Feedback, FeedbackMoment, FeedbackProvider } from "./protocol/feedback.js";
export type { ModelSettings } from "./protocol/model-settings.js";
export {
  type ApprovalRequest,
  allow,
  type Denial,
  deny,
  type PolicyCall,
  type PolicyDecision,
  type ToolPolicy,
} from "./protocol/policy.js";
export type { PromptDescriptor } from "./protocol/prompt-descriptor.js";
export type {
  EvaluatedRun,
  EvaluateOptions,
  EvaluationStream,
  FinishReason,
  PromptResponse,
  ProviderAdapter,
  RunTranscript,
  RunUsage,
} from "./protocol/provider-adapter.js";
export type {
  RenderedPrompt,
  RenderedSection,
  RenderedTool,
  StructuredOutput,
} from "./protocol/rendered-prompt.js";
export type {
  Tool,
  ToolAccess,
  ToolDefinition,
  ToolEffects,
  ToolExample,
  ValueOf,
} from "./protocol/tool.js";
export type { ParkReason, ToolContext } from "./protocol/tool-context.js";
export {
  type FileView,
  type PlannedChange,
  type ToolFiles,
  viewOf,
} from "./protocol/tool-files.js";
export {
  fail,
  ok,
  type ToolFailure,
  type ToolImage,
  type ToolResult,
  type ToolSuccess,
} from "./protocol/tool-result.js";
export {
  defineResource,
  type Resource,
  type ResourceReader,
} from "./resource/resource.js";
export { ResourceScope } from "./resource/resource-scope.js";
export { jsonSchema } from "./schema/json-schema.js";
export type { InputOf, JsonSchema, ModelSchema, OutputOf, Schema } from "./schema/schema.js";
export type { Bindings, SectionParams } from "./section/bindings.js";
export {
  MarkdownSection,
  type MarkdownSectionOptions,
  type ParamsOf,
  type Takes,
} from "./section/markdown-section.js";
export {
  type AnySection,
  Section,
  type SectionOptions,
  type Setting,
  type Visibility,
} from "./section/section.js";
export type { SectionTemplate } from "./section/section-template.js";
export type { SectionNode } from "./section/section-tree.js";
export type { WorkspaceSection } from "./section/workspace-section.js";
export { Prompt } from "./template/prompt.js";
export type {
  AnyTemplate,
  OverrideReport,
  PromptOverrides,
} from "./template/prompt-overrides.js";
export { PromptTemplate, type PromptTemplateOptions } from "./template/prompt-template.js";
export { defineTool } from "./tool/define-tool.js";
export { FilesystemSnapshotSchema, FilesystemSnapshots } from "./tool/filesystem-snapshots.js";
