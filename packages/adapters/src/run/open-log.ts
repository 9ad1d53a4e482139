import type { SessionLogOptions } from "@wink/session/jsonl";
import { returnPointOf } from "./end-open-calls.js";
import type { RunLog, RunPlace } from "./run-place.js";

/** Opens the log of a run without a journal. Rolls back what a call of a killed process changed in the session. */
export async function openLog(place: RunPlace, options: SessionLogOptions): Promise<RunLog> {
  const log = await place.openLog(options);
  const point = returnPointOf(log.session);
  if (point === undefined) return log;
  await log.close();
  return await place.openLog({ ...options, returnTo: () => point });
}
