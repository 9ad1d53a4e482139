import type { ApprovalRequest } from "./policy.js";

/** A call that waits for a person's answer. Plain data. */
export interface ApprovalQuestion extends ApprovalRequest {
  readonly toolCallId: string;
  /**
   * What the call would change, as a patch. Missing for a tool that cannot be tried on a copy of the files, and for a
   * call that would fail.
   */
  readonly patch?: string;
  /** The paths that the patch changes. */
  readonly paths?: readonly string[];
}

/** A person's answer. It is valid for exactly the call that was asked about. */
export type ApprovalAnswer =
  | {
      readonly allow: true;
      /**
       * Whether later calls are allowed without a question: `true` for the same call with the same input, a pattern for
       * calls of this tool that change only files that match it. It needs a question with `paths`. @default false
       */
      readonly remember?: boolean | { readonly pattern: string } | undefined;
    }
  | {
      readonly allow: false;
      /** For the model. @default "A person denied this call." */
      readonly reason?: string | undefined;
    }
  /** The answer comes later. A recorded run is parked until then; elsewhere the call is denied and stays requested. */
  | { readonly park: true; readonly allow?: undefined };

/** Asks a person about a call. */
export type OnApproval = (question: ApprovalQuestion) => ApprovalAnswer | Promise<ApprovalAnswer>;
