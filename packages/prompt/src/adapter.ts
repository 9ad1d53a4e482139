export {
  filesAfter,
  policyCall,
  recordToolCall,
  tellPolicies,
} from "./adapter/record-tool-call.js";
export { openToolCall, type ToolCall } from "./adapter/tool-call.js";
export { collectFeedback } from "./feedback/collect-feedback.js";
export { type ApprovalRule, ApprovalRules, RememberApproval } from "./policy/approvals.js";
export { checkPolicies } from "./policy/check-policies.js";
export { type KnownFile, ReadLedger } from "./policy/read-ledger.js";
export { describeIssue } from "./schema/schema.js";
export { type ChangedFile, ChangeFile } from "./tool/change-file.js";
export { describeTool } from "./tool/describe-tool.js";
export { DropSnapshots, TakeSnapshot } from "./tool/filesystem-snapshots.js";
export { missingFilesystem } from "./tool/missing-filesystem.js";
export { parseInput } from "./tool/parse-input.js";
export { renderResult } from "./tool/render-result.js";
export { type EndedToolCall, EndToolCall, StartToolCall, ToolCalls } from "./tool/tool-calls.js";
