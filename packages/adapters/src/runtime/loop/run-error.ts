import type { FinishReason } from "@wink/prompt";

const REASONS = {
  no_output: "the run ended before the model returned the template's output",
  output_invalid: "the model's answer does not fit the template's output",
  unfinished: "the run ended before the model was done",
} as const;

/** Why a run has no result. */
export type RunErrorCode = keyof typeof REASONS;

export interface RunErrorOptions {
  readonly finishReason: FinishReason;
  /** The model's last text. */
  readonly text: string;
  /** Replaces the default reason. @default the reason of the code */
  readonly reason?: string | undefined;
}

// A registered symbol, so that `isRunError` also recognises errors of a second copy of this
// package.
const BRAND = Symbol.for("wink.adapters.run-error");

/** A run that ended without the required result. Branch on `code`. */
export class RunError extends Error {
  override readonly name = "RunError";
  readonly code: RunErrorCode;
  readonly reason: string;
  readonly finishReason: FinishReason;
  readonly text: string;
  readonly [BRAND] = true;

  constructor(code: RunErrorCode, options: RunErrorOptions) {
    const { finishReason, text, reason = `${REASONS[code]} (${finishReason})` } = options;
    super(`${code === "unfinished" ? "run" : "output"}: ${reason}.`);
    this.code = code;
    this.reason = reason;
    this.finishReason = finishReason;
    this.text = text;
  }
}

/** Whether `error` is a {@link RunError}, of `code` if one is given. */
export function isRunError(error: unknown, code?: RunErrorCode): error is RunError {
  if (typeof error !== "object" || error === null || !(BRAND in error)) return false;
  return code === undefined || ("code" in error && error.code === code);
}
