import { EndToolCall, StartToolCall } from "@wink/prompt/adapter";
import type { Session } from "@wink/session";
import type { JournalFile } from "./journal-file.js";
import type { OpenedTranscript } from "./run-place.js";

/** The reason of a rollback that follows the end of a process. */
export const KILLED = "the process ended";

/** A call that an earlier process did not end and that was rolled back. */
export interface InterruptedCall {
  readonly toolCallId: string;
  readonly tool: string;
}

/**
 * Ends the calls that an earlier process left open, in the log and in the transcript, and then in the journal.
 *
 * A call that the journal committed gets the end that its answer in the transcript says. Every other one was rolled
 * back. Returns the calls that were rolled back although they may have changed something.
 */
export function endOpenCalls(
  session: Session,
  journal: JournalFile | undefined,
  transcript: OpenedTranscript | undefined,
): readonly InterruptedCall[] {
  const rolledBack = new Map(journal?.interrupted.map((each) => [each.toolCallId, each]));
  for (const { toolCallId, tool } of [...openCalls(session, journal?.interrupted ?? [])]) {
    const status = journal && !rolledBack.has(toolCallId) && transcript?.statusOf(toolCallId);
    const { sequence } = session;
    const call = { toolCallId, prompt: "", tool, sequence, durationMs: 0 };
    if (status) {
      const success = status === "succeeded";
      session.dispatch(EndToolCall({ ...call, status, success }));
      continue;
    }
    const undone = undoneOf(session, rolledBack.get(toolCallId)?.sequence);
    transcript?.abort(toolCallId, tool, session.events.lastSequence);
    const ended = { status: "aborted", success: false, ...(undone && { undone }) };
    session.dispatch(EndToolCall({ ...call, ...ended }));
  }
  for (const { id } of journal?.interrupted ?? []) journal?.undone(id);
  return (journal?.interrupted ?? []).map(({ toolCallId, tool }) => ({ toolCallId, tool }));
}

/** The calls with a start and no end, in their order, and those that only the journal knows. */
function openCalls(
  { events }: Session,
  interrupted: readonly InterruptedCall[],
): Iterable<InterruptedCall> {
  const open = new Map<unknown, InterruptedCall>();
  for (const event of events)
    if (StartToolCall.is(event)) open.set(event.payload.toolCallId, event.payload);
    else if (ENDS.includes(event.type)) open.delete(Object(event.payload).toolCallId);
  for (const call of interrupted) open.set(call.toolCallId, open.get(call.toolCallId) ?? call);
  return open.values();
}

/** The second one is from an earlier version. */
const ENDS = [EndToolCall.type, "run.invoke-tool"];

function undoneOf({ events }: Session, from: number | undefined) {
  if (from === undefined) return undefined;
  const undone = events.filter(
    ({ sequence, rolledBack }) => sequence > from && rolledBack?.reason === KILLED,
  );
  return { reason: KILLED, paths: [], events: undone.length, complete: true };
}
