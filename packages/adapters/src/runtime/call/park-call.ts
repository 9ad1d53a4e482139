import type { ToolContext } from "@wink/prompt";
import type { Session } from "@wink/session";
import { isRunError } from "../../error/run-error.js";
import { resourceOf } from "../transaction/call-resource.js";
import type { CallLimit } from "./call-limit.js";

/**
 * The `park` of a call's context. A call can wait several times: each wait has its number, so that it finds its answer
 * when the call is made again. `undefined` if the run is not durable.
 */
export function parkFor(
  session: Session,
  key: string,
  limit: CallLimit,
): ToolContext["park"] | undefined {
  const { parking } = resourceOf(session);
  if (parking === undefined) return undefined;
  let count = 0;
  return async (reason) => {
    const wait = `${key}#${++count}`;
    const answer = parking.answerOf(wait);
    if (answer !== undefined) return answer.value;
    parking.park(wait, reason);
    throw limit.park();
  };
}

/** Whether a handler threw because a run inside it waits, such as that of a subagent. */
export function isParkedRun(error: unknown): boolean {
  try {
    return isRunError(error, "PARKED");
  } catch {
    // Reading a foreign error can throw.
    return false;
  }
}
