import type { ModelRequest, ModelTurn } from "../runtime/loop/model-client.js";

export interface ScriptedCall {
  readonly tool: string;
  /** An object is sent as JSON; a string as it is, to try what is none. @default {} */
  readonly input?: unknown;
  /** @default "call-1", "call-2", … through the whole run */
  readonly toolCallId?: string | undefined;
}

/** What the model says in one turn. */
export interface ScriptedTurn {
  /** An object is said as JSON. @default "" */
  readonly text?: unknown;
  /** @default none, and with that the run is over */
  readonly calls?: readonly ScriptedCall[] | undefined;
  /** Looks at what the model was shown; what it throws ends the run. @default not looked at */
  readonly expect?: ((request: ModelRequest) => void) | undefined;
  /** Thrown in place of an answer, such as a `ModelError`. @default none */
  readonly error?: unknown;
  /** @default "end" */
  readonly stopReason?: ModelTurn["stopReason"] | undefined;
  /** @default no tokens */
  readonly usage?: ModelTurn["usage"] | undefined;
}
