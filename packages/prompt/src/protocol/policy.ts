import type { AnySliceToken } from "@wink/session";
import { requireText } from "../error/check-options.js";
import type { RenderedTool } from "./rendered-prompt.js";
import type { ToolContext } from "./tool-context.js";
import type { PlannedChange } from "./tool-files.js";
import type { ToolSuccess } from "./tool-result.js";

/** A tool call, before or after it runs. */
export interface PolicyCall {
  readonly tool: RenderedTool;
  /** The input after validation by the tool's schema. */
  readonly input: unknown;
  readonly context: ToolContext;
  /** The files that the call will change, as its tool declares them. */
  readonly changes: readonly PlannedChange[];
}

/** A call that a person must approve. */
export interface ApprovalRequest {
  /** Identifies exactly this call: a hash of prompt, tool and input. */
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
}

export interface Denial {
  readonly allowed: false;
  /** For the model: why the call was denied, and what to do first. */
  readonly reason: string;
  /** Set if a person can allow the call. */
  readonly approval?: ApprovalRequest;
}

export type PolicyDecision = { readonly allowed: true } | Denial;

/**
 * A rule for tool calls.
 *
 * Put it in a template (for all tools) or in a section (for the tools of the section and its
 * children). A denial is an answer to the model, not an error. A policy that throws denies the
 * call.
 */
export interface ToolPolicy {
  readonly name: string;
  /** Slices that the policy uses in the session. @default none */
  readonly slices?: readonly AnySliceToken[];
  /**
   * Tools that the policy refers to, as the model sees them. An unknown name throws when the
   * template is created. @default none
   */
  readonly tools?: readonly string[];
  /**
   * Whether the policy of a workspace section also applies to tools of other sections that use its
   * files and declare `files`. @default false
   */
  readonly guardsFiles?: boolean;
  /** Decides whether the call may run. Must not change anything. */
  check(call: PolicyCall): PolicyDecision | Promise<PolicyDecision>;
  /**
   * Called synchronously after every policy has allowed the call. Use up one-time approvals here.
   */
  admit?(call: PolicyCall): PolicyDecision;
  /**
   * Called when the handler has succeeded, before the call is committed. Events that it dispatches
   * belong to the call.
   */
  succeeded?(call: PolicyCall, result: ToolSuccess): Promise<void> | void;
}

const ALLOWED: PolicyDecision = Object.freeze({ allowed: true });

export function allow(): PolicyDecision {
  return ALLOWED;
}

/** The model reads `reason`, so say what to do first. */
export function deny(reason: string): Denial {
  requireText("deny", reason, "the reason for the model");
  return Object.freeze({ allowed: false, reason });
}
