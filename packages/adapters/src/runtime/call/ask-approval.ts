import { globMatcher } from "@wink/filesystem";
import { describeKind } from "@wink/filesystem/internal";
import {
  type ApprovalAnswer,
  type ApprovalQuestion,
  type ApprovalRequest,
  approveCall,
  deny,
  type ParkReason,
  type PolicyCall,
  type PolicyDecision,
  pendingApprovals,
  rejectCall,
} from "@wink/prompt";
import {
  type ApprovalRule,
  ApprovalRules,
  checkPolicies,
  RememberApproval,
} from "@wink/prompt/adapter";
import type { JsonValue } from "@wink/session";
import { invalid } from "../context/require-options.js";
import { type ApprovalNote, resourceOf } from "../transaction/call-resource.js";
import { type DryRun, dryRun } from "./dry-run.js";
import type { RunToolCallOptions } from "./run-tool-call-options.js";

const LATER = "A person will decide about this call later. Go on with something else, or end.";

/**
 * Checks the policies of a call. If one of them needs a person's approval, it asks, and then checks them again: an
 * approval is bound to the hash of the call, so it does not count if the call has changed in the meantime.
 */
export async function decide(
  call: PolicyCall,
  { onApproval, session: own, call: { toolCallId } }: RunToolCallOptions,
  onError: (error: unknown, policy: string) => void,
): Promise<PolicyDecision> {
  const { transcript, parking } = resourceOf(own);
  const note = (about: ApprovalNote) => transcript?.approval?.(about);
  const requested = new Set(pendingApprovals(call.context.session).map(({ id }) => id));
  let isAsked = false;
  for (;;) {
    const decision = await checkPolicies(call, { onError });
    if (decision.allowed || decision.approval === undefined) return decision;
    const { approval } = decision;
    const { session } = call.context;
    // The call has changed, or another call has used the approval up.
    if (isAsked) return decision;
    isAsked = true;
    const trial = await dryRun(call);
    if (isRemembered(call, approval, trial)) {
      approveCall(session, approval);
      note({ approval: approval.id, toolCallId, what: "approved", remembered: true });
      continue;
    }
    if (onApproval === undefined) return decision;
    const question = { ...structuredClone(approval), toolCallId, ...trial };
    note({ approval: approval.id, toolCallId, what: "requested", question });
    let answer = requireAnswer(await onApproval(Object.freeze(question)), trial);
    if ("park" in answer) {
      if (parking === undefined) return deny(LATER);
      // A known request was parked by an earlier process. The id has the hash of the call, so its answer is about this
      // call.
      const isNew = !requested.has(approval.id);
      if (isNew) note({ approval: approval.id, toolCallId, what: "parked" });
      const given = await call.context.park(parkReason(question));
      if (isNew) return decision;
      answer = requireAnswer(given, trial);
      if ("park" in answer) return decision;
    }
    if (!answer.allow) {
      const { reason = "A person denied this call." } = answer;
      rejectCall(session, approval);
      note({ approval: approval.id, toolCallId, what: "denied", reason });
      return { allowed: false, reason };
    }
    approveCall(session, approval);
    const rule = ruleOf(answer, approval);
    if (rule !== undefined) {
      session.install(ApprovalRules);
      session.dispatch(RememberApproval(rule));
    }
    note({ approval: approval.id, toolCallId, what: "approved" });
  }
}

function parkReason(question: ApprovalQuestion): ParkReason {
  return {
    kind: "approval",
    text: `May the agent call ${question.tool}?`,
    // The input was parsed from JSON, and the rest is text.
    data: question as unknown as JsonValue,
  };
}

function ruleOf(
  { remember }: ApprovalAnswer & { readonly allow: true },
  { id, tool }: ApprovalRequest,
): ApprovalRule | undefined {
  if (remember === undefined || remember === false) return undefined;
  return remember === true ? { tool, id } : { tool, pattern: remember.pattern };
}

/** Whether an earlier answer allows this call: the same call, or one whose changes all match a pattern. */
function isRemembered(
  { context: { session, filesystem } }: PolicyCall,
  { id, tool }: ApprovalRequest,
  { paths = [] }: DryRun,
): boolean {
  session.install(ApprovalRules);
  const rules = session.slice(ApprovalRules).where((rule) => rule.tool === tool);
  if (rules.some((rule) => rule.id === id)) return true;
  const patterns = rules.flatMap(({ pattern }) => (pattern === undefined ? [] : [pattern]));
  if (paths.length === 0 || patterns.length === 0) return false;
  const { maxPatternCharacters } = filesystem.limits;
  const matches = globMatcher(patterns, { operation: "approval", maxPatternCharacters });
  return paths.every(matches);
}

/** JavaScript can answer anything. Only `allow: true` allows the call. */
function requireAnswer(answer: unknown, { paths }: DryRun): ApprovalAnswer {
  if (typeof answer !== "object" || answer === null)
    throw wrongAnswer(`it returned ${describeKind(answer)}`);
  if ("park" in answer && answer.park === true) return { park: true };
  if (!("allow" in answer) || typeof answer.allow !== "boolean")
    throw wrongAnswer("its answer has no allow");
  const remember = "remember" in answer ? answer.remember : undefined;
  if (typeof remember === "object" && paths === undefined)
    throw wrongAnswer("a pattern needs a question with paths");
  // Checked above.
  return answer as ApprovalAnswer;
}

function wrongAnswer(problem: string) {
  return invalid(
    "onApproval",
    `${problem}. Return { allow: true }, { allow: false, reason } or { park: true }.`,
  );
}
