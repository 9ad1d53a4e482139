import { requireFunction } from "../error/check-options.js";
import {
  allow,
  type Denial,
  type PolicyCall,
  type PolicyDecision,
  type ToolPolicy,
} from "../protocol/policy.js";
import { canonicalJson } from "../schema/canonical-json.js";
import { sha256 } from "../schema/sha-256.js";
import { Approvals, EndApproval } from "./approvals.js";

/**
 * Holds calls that match `predicate` until a person approves them.
 *
 * An approval is valid for one call: this prompt, this tool, exactly this input, once. The denial
 * carries the request. `approveCall(session, request)` grants it, and then the model calls again.
 */
export function requireApproval(
  predicate: (call: PolicyCall) => boolean | Promise<boolean>,
): ToolPolicy {
  requireFunction("requireApproval", predicate, "a function of a call");
  /** Calls that need an approval and had one when they were checked. */
  const picked = new WeakSet<PolicyCall>();
  return Object.freeze({
    name: "require-approval",
    slices: [Approvals],

    async check(call: PolicyCall): Promise<PolicyDecision> {
      if (!(await predicate(call))) return allow();
      if (!isApproved(call)) return hold(call);
      picked.add(call);
      return allow();
    },

    admit(call: PolicyCall): PolicyDecision {
      if (!picked.has(call)) return allow();
      // If two equal calls run concurrently, the second one finds the approval already used.
      if (!isApproved(call)) return hold(call);
      call.context.session.dispatch(EndApproval({ id: callId(call) }));
      return allow();
    },
  });
}

function isApproved(call: PolicyCall): boolean {
  const id = callId(call);
  return call.context.session
    .slice(Approvals)
    .where((approval) => approval.id === id)
    .some(({ status }) => status === "approved");
}

function hold(call: PolicyCall): Denial {
  const { tool, input } = call;
  const approval = Object.freeze({ id: callId(call), tool: tool.name, input });
  return Object.freeze({
    allowed: false,
    reason: `This call of ${tool.name} needs a person's approval, which was asked for. Go on with something else, or make the same call again, unchanged, when it is given.`,
    approval,
  });
}

function callId({ tool, input, context: { prompt } }: PolicyCall): string {
  return sha256(canonicalJson({ prompt: `${prompt.ns}/${prompt.key}`, tool: tool.name, input }));
}
