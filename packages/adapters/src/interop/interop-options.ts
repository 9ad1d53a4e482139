import type { Budget, Deadline, OnApproval, ProviderAdapter } from "@wink/prompt";
import type { CallLimits } from "../runtime/context/limits.js";
import type { RunTelemetry } from "../runtime/loop/run-telemetry.js";

/** Options for running a prompt's tools in another framework's loop. */
export interface InteropOptions {
  /** The adapter for handlers that call a model. @default an adapter that rejects every request */
  readonly adapter?: ProviderAdapter | undefined;
  /** @default none */
  readonly deadline?: Deadline | undefined;
  /** @default none */
  readonly budget?: Budget | undefined;
  /** @default DEFAULT_CALL_LIMITS */
  readonly limits?: Partial<CallLimits> | undefined;
  /**
   * Asks a person about a call that a policy holds. @default an MCP client is asked by elicitation; elsewhere the call is
   * denied and stays requested
   */
  readonly onApproval?: OnApproval | undefined;
  /** Observes the calls, for example `openTelemetry()` from `@wink/adapters/telemetry`. @default none */
  readonly telemetry?: RunTelemetry | undefined;
  /**
   * Receives every thrown error in full. The model does not see it. @default prints it with
   * `console.error`, without keys
   */
  readonly onError?: ((error: unknown, where: string) => void) | undefined;
}

/** The names of {@link InteropOptions}. */
export const INTEROP_OPTIONS: readonly string[] = [
  ...["adapter", "deadline", "budget", "limits", "onApproval", "telemetry", "onError"],
];
