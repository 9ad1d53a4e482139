import type { Session } from "@wink/session";
import { defineEvent, defineSlice } from "@wink/session";
import type { ApprovalRequest } from "../protocol/policy.js";
import { jsonSchema } from "../schema/json-schema.js";

/** A call that a person was asked about. */
export interface Approval {
  /** Of prompt, tool and input together. */
  readonly id: string;
  readonly tool: string;
  /** The input as JSON, its keys in order. */
  readonly input: string;
  readonly status: "requested" | "approved";
}

const text = { type: "string" };

/** A call was held back until a person says yes. */
export const RequestApproval = defineEvent(
  "prompt.request-approval",
  jsonSchema<{ readonly id: string; readonly tool: string; readonly input: string }>({
    type: "object",
    properties: { id: text, tool: text, input: text },
    required: ["id", "tool", "input"],
    additionalProperties: false,
  }),
);

/** A person said yes to one call. */
export const ApproveCall = defineEvent("prompt.approve-call", idSchema());

/** A person said no, or the call that was approved is being made. */
export const EndApproval = defineEvent("prompt.end-approval", idSchema());

/** Calls that wait for a person, and those that may be made once. It is a log: going back in time brings no approval back. */
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

/** The calls that wait for a person. */
export function pendingApprovals(session: Session): readonly ApprovalRequest[] {
  return session
    .slice(Approvals)
    .where(({ status }) => status === "requested")
    .map(({ id, tool, input }) => ({ id, tool, input: JSON.parse(input) }));
}

/** Allows the call to be made once, exactly as it was asked for. */
export function approveCall(session: Session, request: Pick<ApprovalRequest, "id">): void {
  session.install(Approvals);
  session.dispatch(ApproveCall({ id: request.id }));
}

/** Takes the request, or the approval, off the list. */
export function rejectCall(session: Session, request: Pick<ApprovalRequest, "id">): void {
  session.install(Approvals);
  session.dispatch(EndApproval({ id: request.id }));
}

function idSchema() {
  return jsonSchema<{ readonly id: string }>({
    type: "object",
    properties: { id: text },
    required: ["id"],
    additionalProperties: false,
  });
}
