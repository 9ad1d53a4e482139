import type { Session } from "@wink/session";
import { defineEvent, defineSlice } from "@wink/session";
import { requireMember } from "../error/check-options.js";
import type { ApprovalRequest } from "../protocol/policy.js";
import { jsonSchema } from "../schema/json-schema.js";
import { requireSession } from "../tool/blank-session.js";

/** A call that waits for approval by a person, or that was approved. */
export interface Approval {
  /** Hash of prompt, tool and input. */
  readonly id: string;
  readonly tool: string;
  /** The input as JSON with sorted keys. */
  readonly input: string;
  readonly status: "requested" | "approved";
}

const text = { type: "string" };

/** A call needs approval by a person. */
export const RequestApproval = defineEvent(
  "prompt.request-approval",
  jsonSchema<{ readonly id: string; readonly tool: string; readonly input: string }>({
    type: "object",
    properties: { id: text, tool: text, input: text },
    required: ["id", "tool", "input"],
    additionalProperties: false,
  }),
);

/** A person approved one call. */
const ApproveCall = defineEvent("prompt.approve-call", idSchema());

/** A person rejected the call, or the approved call is now running. */
export const EndApproval = defineEvent("prompt.end-approval", idSchema());

/**
 * Calls that wait for approval, and approved calls that may run once. This slice is a log, so
 * restoring an older session state does not restore an approval.
 */
export const Approvals = defineSlice({
  name: "prompt.approvals",
  policy: "log",
  schema: jsonSchema<Approval>({
    type: "object",
    properties: {
      id: text,
      tool: text,
      input: text,
      status: { enum: ["requested", "approved"] },
    },
    required: ["id", "tool", "input", "status"],
    additionalProperties: false,
  }),
  reducers: (on) => [
    on(RequestApproval, (approvals, request) =>
      approvals.some(({ id }) => id === request.id)
        ? approvals
        : [...approvals, { ...request, status: "requested" }],
    ),
    on(ApproveCall, (approvals, { id }) =>
      approvals.map((each) => (each.id === id ? { ...each, status: "approved" } : each)),
    ),
    on(EndApproval, (approvals, ended) => approvals.filter(({ id }) => id !== ended.id)),
  ],
});

/** Calls that a person has allowed for the rest of the session. */
export interface ApprovalRule {
  readonly tool: string;
  /** The id of the one call that is allowed. */
  readonly id?: string;
  /** Calls that change only matching files are allowed. */
  readonly pattern?: string;
}

const ruleSchema = {
  type: "object",
  properties: { tool: text, id: text, pattern: text },
  required: ["tool"],
  additionalProperties: false,
} as const;

/** A person allowed further calls. */
export const RememberApproval = defineEvent(
  "prompt.remember-approval",
  jsonSchema<ApprovalRule>(ruleSchema),
);

/**
 * What a person allowed for the rest of the session. A slice with the policy `log`, so that restoring an earlier state
 * does not change the decisions.
 */
export const ApprovalRules = defineSlice({
  name: "prompt.approval-rules",
  policy: "log",
  schema: jsonSchema<ApprovalRule>(ruleSchema),
  reducers: (on) => [on(RememberApproval, (rules, rule) => [...rules, rule])],
});

/** The calls that wait for approval by a person. */
export function pendingApprovals(session: Session): readonly ApprovalRequest[] {
  requireSession(session, "pendingApprovals");
  return session
    .slice(Approvals)
    .where(({ status }) => status === "requested")
    .map(({ id, tool, input }) => ({ id, tool, input: JSON.parse(input) }));
}

/** Allows the call to run once, with exactly the requested input. */
export function approveCall(session: Session, request: Pick<ApprovalRequest, "id">): void {
  requireRequest("approveCall", session, request);
  session.install(Approvals);
  session.dispatch(ApproveCall({ id: request.id }));
}

/** Removes the request or the approval. */
export function rejectCall(session: Session, request: Pick<ApprovalRequest, "id">): void {
  requireRequest("rejectCall", session, request);
  session.install(Approvals);
  session.dispatch(EndApproval({ id: request.id }));
}

function requireRequest(subject: string, session: unknown, request: unknown): void {
  requireSession(session, subject);
  requireMember(subject, request, "id", "a request of pendingApprovals()");
}

function idSchema() {
  return jsonSchema<{ readonly id: string }>({
    type: "object",
    properties: { id: text },
    required: ["id"],
    additionalProperties: false,
  });
}
