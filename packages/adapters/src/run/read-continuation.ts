import type { Session } from "@wink/session";
import { AdapterError } from "../error/adapter-error.js";
import { callSignature, idempotencyKey } from "../runtime/call/idempotency-key.js";
import type { Continuation } from "../runtime/loop/continued-run.js";
import { resourceOf } from "../runtime/transaction/call-resource.js";
import { LastEvaluation } from "../transcript/last-evaluation.js";
import type { RunHeader } from "./run-header.js";
import type { OpenedTranscript, RunPlace } from "./run-place.js";
import { spentOf } from "./spent-of.js";

/** How to continue the last evaluation of a run. Rejects with `NOT_RESUMABLE`. */
export async function readContinuation(
  { place, session }: { readonly place: RunPlace; readonly session: Session },
  header: RunHeader,
  transcript: OpenedTranscript | undefined,
): Promise<Continuation | undefined> {
  if (header.redacted) throw notResumable("texts of its transcript were replaced");
  if (transcript === undefined) throw notResumable("it has no transcript");
  const records = await transcript.read();
  const evaluation = LastEvaluation.of(records);
  if (evaluation === undefined) return undefined;
  for (const [signature, key] of unknownCalls(session, evaluation))
    resourceOf(session).unknownCalls.set(signature, key);
  const { started, ended, state, workedMs } = evaluation;
  const { prompt, hash, limits } = started;
  const spent = limits.budget === undefined ? {} : await spentOf(place, records, state.open);
  const isCompleted = ended?.finishReason === "completed";
  return { from: state, prompt, hash, limits, spent, workedMs, isCompleted };
}

/**
 * The idempotency keys of external calls whose outcome is unknown and that the model has not made again, by tool and
 * input.
 */
function unknownCalls(session: Session, evaluation: LastEvaluation): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  for (const turn of evaluation.turns)
    for (const { toolCallId, toolName, arguments: input } of evaluation.callsOf(turn)) {
      const outcome = turn.outcomes.get(toolCallId);
      if (outcome === undefined || outcome.interrupted === "again") continue;
      const signature = callSignature(toolName, input);
      const { run } = outcome;
      const key =
        keys.get(signature) ?? idempotencyKey(session, { run, turn: turn.turn, toolCallId });
      if (outcome.interrupted === "unknown") keys.set(signature, key);
      else keys.delete(signature);
    }
  return keys;
}

function notResumable(why: string): AdapterError {
  const reason = `it cannot be continued, because ${why}`;
  return new AdapterError("NOT_RESUMABLE", { subject: "run", reason });
}
