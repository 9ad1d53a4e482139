export type { AgentEvent, ToolCallFinished, ToolCallStarted } from "./agent-event.js";
export {
  type Approval,
  Approvals,
  ApproveCall,
  approveCall,
  EndApproval,
  pendingApprovals,
  RequestApproval,
  rejectCall,
} from "./approvals.js";
export type { Bindings, IsReady } from "./bindings.js";
export type { BoundPrompt, RenderOptions } from "./bound-prompt.js";
export {
  Budget,
  type BudgetLimits,
  type BudgetOptions,
  type Remaining,
  type Spendable,
  type Spending,
} from "./budget.js";
export { checkPolicies } from "./check-policies.js";
export { type CollectFeedbackOptions, collectFeedback } from "./collect-feedback.js";
export { CompletedSteps, CompleteStep } from "./completed-steps.js";
export { Deadline, type DeadlineOptions } from "./deadline.js";
export { defineTool } from "./define-tool.js";
export { describeTool } from "./describe-tool.js";
export type { PromptDescriptor, SectionDescriptor, ToolDescriptor } from "./descriptor.js";
export { type Duration, toMilliseconds } from "./duration.js";
export type { Feedback, FeedbackMoment, FeedbackProvider } from "./feedback.js";
export { FeedbackGiven, GiveFeedback, type GivenFeedback } from "./feedback-given.js";
export {
  type DeadlineFeedbackOptions,
  deadlineFeedback,
  type UntouchedFeedbackOptions,
  untouchedFeedback,
} from "./feedback-providers.js";
export { jsonSchema } from "./json-schema.js";
export {
  MarkdownSection,
  type MarkdownSectionOptions,
  type ParamsOf,
  type Takes,
} from "./markdown-section.js";
export { noWorkspace } from "./no-workspace.js";
export { OpenedSections, OpenSections } from "./opened-sections.js";
export { type ParsedInput, parseInput } from "./parse-input.js";
export {
  type ApprovalRequest,
  allow,
  type Denial,
  deny,
  type PolicyCall,
  type PolicyDecision,
  type ToolPolicy,
} from "./policy.js";
export { Prompt, type PromptOptions } from "./prompt.js";
export {
  isPromptError,
  PromptError,
  type PromptErrorCode,
  type PromptErrorOptions,
} from "./prompt-error.js";
export type {
  OverrideReport,
  PromptOverrides,
  SectionOverride,
  ToolOverride,
} from "./prompt-overrides.js";
export { PromptTemplate, type PromptTemplateOptions } from "./prompt-template.js";
export type {
  EvaluateOptions,
  EvaluationStream,
  FinishReason,
  PromptResponse,
  ProviderAdapter,
  Usage,
} from "./provider-adapter.js";
export { type ReadBeforeWriteOptions, readBeforeWrite } from "./read-before-write.js";
export { ChangeFile, type KnownFile, type LineRange, ReadLedger, SeeFile } from "./read-ledger.js";
export { recordToolCall } from "./record-tool-call.js";
export { renderResult } from "./render-result.js";
export type { RenderedPrompt, RenderedTool, StructuredOutput } from "./rendered-prompt.js";
export { requireApproval } from "./require-approval.js";
export {
  defineResource,
  type Resource,
  type ResourceDefinition,
  type ResourceReader,
  type ResourceScopeName,
} from "./resource.js";
export { ResourceScope } from "./resource-scope.js";
export type { InputOf, Issue, JsonSchema, ModelSchema, OutputOf, Schema } from "./schema.js";
export {
  type AnySection,
  Section,
  type SectionOptions,
  type Setting,
  type Visibility,
} from "./section.js";
export type { SectionTemplate } from "./section-template.js";
export type { SectionNode } from "./section-tree.js";
export { sequential } from "./sequential.js";
export type { Tool, ToolAccess, ToolDefinition, ToolExample, ValueOf } from "./tool.js";
export { openToolCall, resourcesOf, type ToolCall, type ToolCallOptions } from "./tool-call.js";
export { CallTool, ToolCallCounts } from "./tool-calls.js";
export type { ToolContext } from "./tool-context.js";
export { type FileChange, type FileView, type ToolFiles, viewOf } from "./tool-files.js";
export {
  type FailOptions,
  fail,
  type OkOptions,
  ok,
  type ToolFailure,
  type ToolImage,
  type ToolResult,
  type ToolSuccess,
} from "./tool-result.js";
export { isWorkspaceSection, type WorkspaceSection } from "./workspace-section.js";
