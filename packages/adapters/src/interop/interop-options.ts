import type { Budget, Deadline, ProviderAdapter } from "@wink/prompt";
import type { CallLimits } from "../runtime/context/limits.js";

/** What every way of lending a prompt's tools to somebody else's loop takes. */
export interface InteropOptions {
  /** What handlers that ask a model get. @default one that refuses: the model is the other loop's */
  readonly adapter?: ProviderAdapter | undefined;
  /** @default none */
  readonly deadline?: Deadline | undefined;
  /** @default none */
  readonly budget?: Budget | undefined;
  /** @default DEFAULT_CALL_LIMITS */
  readonly limits?: Partial<CallLimits> | undefined;
  /** Told of what was thrown, in full; the model is not. @default nobody is told */
  readonly onError?: ((error: unknown, where: string) => void) | undefined;
}
