import type { Filesystem } from "@wink/filesystem";
import type { Session } from "@wink/session";
import type { ToolResult } from "./tool-result.js";

/** What a completion check can look at. */
export interface CompletionMoment {
  readonly session: Session;
  /** The files of the first workspace section. `undefined` if the prompt has none. Do not change them. */
  readonly filesystem: Filesystem | undefined;
  /** The model's final text. */
  readonly text: string;
  readonly signal: AbortSignal;
  /** Calls a tool of the prompt, for example a shell that runs the tests. It is recorded like a call of the model. */
  callTool(name: string, input: unknown): Promise<ToolResult>;
}

/** Decides whether the work is complete when the model says that it is done. */
export interface CompletionCheck {
  readonly name: string;
  /** Returns the missing work, for the model. `undefined` or an empty text if the work is complete. */
  check(moment: CompletionMoment): string | undefined | Promise<string | undefined>;
  /** How often missing work is sent back. Then the run ends with the reason `incomplete`. @default 3 */
  readonly maxAttempts?: number | undefined;
}
