import type { Session } from "@wink/session";
import { resourceOf } from "../transaction/call-resource.js";
import type { RunToolCallOptions } from "./run-tool-call-options.js";

/** Identifies a call in every process that makes it. */
export function idempotencyKey(
  session: Session,
  { run = 0, turn = 0, toolCallId }: { run?: number; turn?: number; toolCallId: string },
): string {
  return `${resourceOf(session).runId ?? session.id}/${run}/${turn}/${toolCallId}`;
}

/**
 * The key of a call. If the outcome of an earlier call with the same tool and input is unknown, it is that call's key, so
 * that a service can recognise the repetition.
 */
export function takeKey({ session, call, run, turn }: RunToolCallOptions): string {
  const { unknownCalls } = resourceOf(session);
  const signature = callSignature(call.toolName, call.arguments);
  const key = unknownCalls.get(signature);
  if (key === undefined)
    return idempotencyKey(session, {
      toolCallId: call.toolCallId,
      ...(run !== undefined && { run }),
      ...(turn !== undefined && { turn }),
    });
  unknownCalls.delete(signature);
  return key;
}

/** Equal for calls of the same tool with the same input. */
export function callSignature(tool: string, input: unknown): string {
  return `${tool} ${JSON.stringify(parsed(input), sortFields)}`;
}

/** A model may write the fields of the same input in another order. */
function sortFields(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function parsed(input: unknown): unknown {
  if (typeof input !== "string") return input;
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}
