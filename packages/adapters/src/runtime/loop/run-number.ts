import type { Session } from "@wink/session";
import { resourceOf } from "../transaction/call-resource.js";

/**
 * The number of the next evaluation on a session: 1, 2, … It also counts the evaluations of earlier processes, from
 * the session's events.
 */
export function nextRunNumber(session: Session): number {
  const resource = resourceOf(session);
  resource.runCount = Math.max(resource.runCount, lastRun(session)) + 1;
  return resource.runCount;
}

function lastRun({ events }: Session): number {
  for (let at = events.length - 1; at >= 0; at--) {
    const { type = "", payload } = events.at(at) ?? {};
    if (!type.startsWith("run.") || typeof payload !== "object" || payload === null) continue;
    if ("run" in payload && typeof payload.run === "number") return payload.run;
  }
  return 0;
}
