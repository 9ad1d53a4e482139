import { describeKind } from "@wink/filesystem/internal";
import { checkOptions, requireMember } from "../error/check-options.js";
import { PromptError } from "../error/prompt-error.js";
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
  options: { readonly onError?: (error: unknown, policy: string) => void } = {},
): Promise<PolicyDecision> {
  requireMember("checkPolicies", call?.tool, "policies", "the result of policyCall()");
  checkOptions("checkPolicies", options, ["onError"]);
  const { onError } = options;
  const { policies } = call.tool;
  for (const policy of policies) {
    try {
      const decision = requireDecision(await policy.check(call), policy.name, "check");
      if (!decision.allowed) return note(decision, call);
    } catch (error) {
      onError?.(error, policy.name);
      return cannotTell(policy.name);
    }
  }
  for (const policy of policies) {
    try {
      const decision = requireDecision(policy.admit?.(call) ?? allow(), policy.name, "admit");
      if (!decision.allowed) return note(decision, call);
    } catch (error) {
      onError?.(error, policy.name);
      return cannotTell(policy.name);
    }
  }
  return allow();
}

/** A policy in JavaScript can return anything. Without this check, `true` would be a denial without a reason. */
function requireDecision(decision: PolicyDecision, name: string, method: string): PolicyDecision {
  const given: unknown = decision;
  if (typeof given === "object" && given !== null && "allowed" in given) return decision;
  const shown = typeof given === "boolean" ? String(given) : describeKind(given);
  throw new PromptError(
    "PREDICATE_FAILED",
    `policy '${name}'`,
    `${method}() returned ${shown}. Return allow() or deny(reason)`,
  );
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
