import { describeKind } from "@wink/filesystem/internal";
import { invalid, requireOptions } from "../runtime/context/require-options.js";
import type { ModelRequest, ModelTurn } from "../runtime/loop/model-client.js";

export interface ScriptedCall {
  readonly tool: string;
  /**
   * An object is sent as JSON. A string is sent unchanged, so that tests can send invalid JSON.
   * @default {}
   */
  readonly input?: unknown;
  /** @default "call-1", "call-2", … counted over the whole run */
  readonly toolCallId?: string | undefined;
}

/** What the model returns in one turn. */
export interface ScriptedTurn {
  /** An object is sent as JSON. @default "" */
  readonly text?: unknown;
  /** @default no calls, which ends the run */
  readonly calls?: readonly ScriptedCall[] | undefined;
  /**
   * Checks the request that the model receives. If it throws, the run ends with that error.
   * @default no check
   */
  readonly expect?: ((request: ModelRequest) => void) | undefined;
  /** Thrown instead of an answer, for example a `ModelError`. @default none */
  readonly error?: unknown;
  /** @default "end" */
  readonly stopReason?: ModelTurn["stopReason"] | undefined;
  /** @default no tokens */
  readonly usage?: ModelTurn["usage"] | undefined;
}

const TURN = ["text", "calls", "expect", "error", "stopReason", "usage"];
const CALL = ["tool", "input", "toolCallId"];

/** Throws `ARGUMENT_INVALID` if a turn or one of its calls has an unknown field, which would be ignored silently. */
export function requireTurn(subject: string, turn: ScriptedTurn): void {
  requireOptions(subject, turn ?? null, TURN);
  const { calls = [], text } = turn;
  requireJson(`${subject}: option 'text'`, text);
  if (!Array.isArray(calls))
    throw invalid(subject, `option 'calls' must be an array, got ${describeKind(calls)}.`);
  for (const [index, call] of calls.entries()) {
    requireOptions(`${subject}.calls[${index}]`, call ?? null, CALL);
    if (typeof call.tool !== "string")
      throw invalid(
        `${subject}.calls[${index}]`,
        `option 'tool' must be the name of a tool, got ${describeKind(call.tool)}.`,
      );
    requireJson(`${subject}.calls[${index}]: option 'input'`, call.input);
  }
}

/** JSON has no functions, so they would be missing in what the run receives. */
function requireJson(subject: string, value: unknown): void {
  if (typeof value === "string") return;
  try {
    JSON.stringify(value, (key, each) => {
      if (["function", "symbol", "bigint"].includes(typeof each)) throw new TypeError(key);
      return each;
    });
  } catch {
    throw invalid(subject, "it must be JSON. Remove functions, symbols, big integers and cycles.");
  }
}
