import type { FinishReason } from "@wink/prompt";
import { AdapterError, isAdapterError, reasonOf } from "./adapter-error.js";

const SUBJECTS = {
  NO_OUTPUT: "output",
  OUTPUT_INVALID: "output",
  UNFINISHED: "run",
  PARKED: "run",
} as const;

/** A run ended without the required result. */
export class RunError extends AdapterError {
  override readonly name = "RunError";
  declare readonly code: "NO_OUTPUT" | "OUTPUT_INVALID" | "UNFINISHED" | "PARKED";
  readonly finishReason: FinishReason;
  /** The model's last text. */
  readonly text: string;

  constructor(
    code: RunError["code"],
    options: {
      readonly finishReason: FinishReason;
      readonly text: string;
      /** @default the reason of the code, with the `finishReason` */
      readonly reason?: string | undefined;
    },
  ) {
    const given: Partial<typeof options> = options ?? {};
    const { finishReason = "error", text = "" } = given;
    const { reason = `${reasonOf(code)} (${finishReason})` } = given;
    super(code, { subject: SUBJECTS[code], reason });
    this.finishReason = finishReason;
    this.text = text;
  }
}

/** Whether `error` is a {@link RunError}, of `code` if one is given. */
export function isRunError(error: unknown, code?: RunError["code"]): error is RunError {
  return isAdapterError(error, code) && error.name === "RunError";
}
