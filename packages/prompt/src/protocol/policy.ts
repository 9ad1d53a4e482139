import type { AnySliceToken } from "@wink/session";
import type { RenderedTool } from "./rendered-prompt.js";
import type { ToolContext } from "./tool-context.js";
import type { ToolSuccess } from "./tool-result.js";

/** A call that is about to be made, or was. */
export interface PolicyCall {
  readonly tool: RenderedTool;
  /** As the tool's schema made it. */
  readonly input: unknown;
  readonly context: ToolContext;
}

/** A call that somebody must say yes to, and which one exactly. */
export interface ApprovalRequest {
  /** Of this call and no other: prompt, tool and every byte of the input. */
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
}

export interface Denial {
  readonly allowed: false;
  /** For the model: why, and what to do first. */
  readonly reason: string;
  /** Present when a person can allow the call. */
  readonly approval?: ApprovalRequest;
}

export type PolicyDecision = { readonly allowed: true } | Denial;

/**
 * A rule for calls of tools.
 *
 * Stands in a template (for all tools) or a section (for its own and its
 * children's). A denial is an answer to the model, not an error. A policy that
 * throws denies.
 */
export interface ToolPolicy {
  readonly name: string;
  /** State that it keeps in the session. @default none */
  readonly slices?: readonly AnySliceToken[];
  /** Tools that it is about, as the model sees them; one that is not there fails when the template is made. @default none in particular */
  readonly tools?: readonly string[];
  /** Decides, without changing anything. */
  check(call: PolicyCall): PolicyDecision | Promise<PolicyDecision>;
  /** Called when every policy has allowed the call. It must decide at once; what can be used only once is used here. */
  admit?(call: PolicyCall): PolicyDecision;
  /** Called when the call has succeeded. */
  succeeded?(call: PolicyCall, result: ToolSuccess): Promise<void> | void;
}

const ALLOWED: PolicyDecision = Object.freeze({ allowed: true });

export function allow(): PolicyDecision {
  return ALLOWED;
}

/** `reason` is read by the model: say what to do first. */
export function deny(reason: string): Denial {
  return Object.freeze({ allowed: false, reason });
}
