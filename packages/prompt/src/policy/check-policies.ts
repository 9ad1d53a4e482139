import {
  allow,
  type Denial,
  deny,
  type PolicyCall,
  type PolicyDecision,
} from "../protocol/policy.js";
import { canonicalJson } from "../schema/canonical-json.js";
import { Approvals, RequestApproval } from "./approvals.js";

/**
 * Checks every policy of the tool, outermost first, until one denies the call.
 *
 * The `reason` of a denial is the answer to the model. A policy that throws denies the call; its
 * error goes only to `onError`. A call that needs approval is recorded in the session, where
 * `pendingApprovals` finds it.
 */
export async function checkPolicies(
  call: PolicyCall,
  { onError }: { readonly onError?: (error: unknown, policy: string) => void } = {},
): Promise<PolicyDecision> {
  const { policies } = call.tool;
  for (const policy of policies) {
    try {
      const decision = await policy.check(call);
      if (!decision.allowed) return note(decision, call);
    } catch (error) {
      onError?.(error, policy.name);
      return cannotTell(policy.name);
    }
  }
  for (const policy of policies) {
    try {
      const decision = policy.admit?.(call) ?? allow();
      if (!decision.allowed) return note(decision, call);
    } catch (error) {
      onError?.(error, policy.name);
      return cannotTell(policy.name);
    }
  }
  return allow();
}

function note(denial: Denial, { context: { session } }: PolicyCall): Denial {
  const { approval } = denial;
  if (approval === undefined) return denial;
  const { id, tool } = approval;
  session.install(Approvals);
  session.dispatch(RequestApproval({ id, tool, input: canonicalJson(approval.input ?? null) }));
  return denial;
}

function cannotTell(name: string): Denial {
  return deny(`The policy '${name}' could not be checked, so the call was not made.`);
}
