import { EndToolCall, StartToolCall } from "@wink/prompt/adapter";
import type { RecordedEvent, Session } from "@wink/session";
import type { ReturnPoint } from "@wink/session/jsonl";
import { UNKNOWN_OUTCOME } from "../runtime/call/call-report.js";
import { idempotencyKey } from "../runtime/call/idempotency-key.js";
import type { CallAnswered } from "../transcript/transcript-record.js";
import type { JournalFile } from "./journal-file.js";
import type { RunParking } from "./parking.js";
import type { OpenedTranscript } from "./run-place.js";

/** The reason of a rollback that follows the end of a process. */
export const KILLED = "the process ended";

/** A call that an earlier process did not end and that was rolled back. */
export interface InterruptedCall {
  readonly toolCallId: string;
  readonly tool: string;
}

type OpenCall = InterruptedCall & {
  readonly access?: string | undefined;
  readonly effects?: string | undefined;
  readonly run?: number | undefined;
  readonly turn?: number | undefined;
  /** The number of its start event. */
  readonly start?: number;
};

export interface EndOpenCallsOptions {
  readonly session: Session;
  readonly journal: JournalFile | undefined;
  readonly transcript: OpenedTranscript | undefined;
  readonly parking: RunParking | undefined;
}

/**
 * Ends the calls that an earlier process left open, in the log and in the transcript, and then in the journal.
 *
 * A call that the journal committed ends as its answer in the transcript says. Every other call was rolled back. It is
 * made again if it acts only on the workspace. Otherwise the model reads that its outcome is unknown. Returns the calls
 * that were rolled back although they may have changed something.
 */
export function endOpenCalls(options: EndOpenCallsOptions): readonly InterruptedCall[] {
  const { session, journal, transcript, parking } = options;
  const rolledBack = new Map(journal?.interrupted.map((each) => [each.toolCallId, each]));
  for (const open of [...openCalls(session.events, journal?.interrupted ?? [])]) {
    const { toolCallId, tool } = open;
    // Without a journal, only a call that changes nothing is certain to have ended.
    const hasEnded = journal ? !rolledBack.has(toolCallId) : open.access === "read";
    const outcome = hasEnded ? outcomeOf(transcript, open) : undefined;
    const { sequence } = session;
    const position = { ...(open.run && { run: open.run }), turn: open.turn ?? 0 };
    const prompt = promptOf(transcript, open);
    const call = { toolCallId, prompt, tool, sequence, durationMs: 0, ...position };
    if (outcome !== undefined) {
      session.dispatch(EndToolCall({ ...call, ...outcome }));
      continue;
    }
    const undone = undoneOf(session, rolledBack.get(toolCallId)?.sequence);
    const isAgain = open.effects === "workspace" || isWaiting(session, parking, open);
    if (transcript !== undefined)
      abort(transcript, open, session.events.lastSequence, isAgain ? "again" : "unknown");
    const ended = { status: "aborted", success: false, ...(undone && { undone }) };
    session.dispatch(EndToolCall({ ...call, ...ended }));
  }
  for (const { id } of journal?.interrupted ?? []) journal?.undone(id);
  return (journal?.interrupted ?? []).map(({ toolCallId, tool }) => ({ toolCallId, tool }));
}

/**
 * The state before the changes of a call that an earlier process did not end. A call changes the session exclusively,
 * so everything after its first own event belongs to it. `undefined` if no open call has changed the session.
 */
export function returnPointOf({ events: trail }: Session): ReturnPoint | undefined {
  const events = trail.toArray();
  const starts = new Map<unknown, number>();
  for (const { toolCallId, start = 0 } of openCalls(events, [])) starts.set(toolCallId, start);
  if (starts.size === 0) return undefined;
  const first = events.findIndex(({ type, meta, rolledBack, sequence }) => {
    // A model may use an id again, so only what follows the start belongs to the open call.
    const start = starts.get({ ...meta }["toolCallId"]);
    const isOwn = start !== undefined && sequence > start;
    return isOwn && !type.startsWith("run.") && rolledBack === undefined;
  });
  if (first < 0) return undefined;
  const before = events.slice(0, first).findLast(({ rolledBack }) => rolledBack === undefined);
  return { sequence: before?.sequence ?? 0, reason: KILLED };
}

/** Whether the call waits for something outside, so that it has done nothing yet. */
function isWaiting(session: Session, parking: RunParking | undefined, call: OpenCall): boolean {
  const { toolCallId, run = 0, turn = 0 } = call;
  return parking?.isWaiting(idempotencyKey(session, { run, turn, toolCallId })) === true;
}

/** How a call of an earlier process ended, if the transcript says so. */
function outcomeOf(
  transcript: OpenedTranscript | undefined,
  { toolCallId, run, turn }: OpenCall,
): { readonly status: string; readonly success: boolean } | undefined {
  const outcome = transcript?.earlier.records.findLast(
    (record): record is CallAnswered =>
      record.kind === "outcome" &&
      record.call === toolCallId &&
      (run === undefined || record.run === run) &&
      (turn === undefined || record.turn === turn),
  );
  if (outcome === undefined || outcome.interrupted === "again") return undefined;
  const { status, facts } = outcome;
  // The recorder wrote this part.
  const known = facts === undefined ? {} : (transcript?.earlier.part(facts) as object);
  return { status, success: status === "succeeded", ...known };
}

/** The prompt of the evaluation that made the call. */
function promptOf(transcript: OpenedTranscript | undefined, { run }: OpenCall): string {
  const started = transcript?.earlier.records.findLast(
    (record) => record.kind === "run" && record.run === run,
  );
  return started?.kind === "run" ? started.prompt : "";
}

/** Records that the process ended before the call was committed. */
function abort(
  { writer, earlier }: OpenedTranscript,
  { toolCallId, tool, run: inRun, turn: inTurn }: OpenCall,
  sequence: number,
  interrupted: "again" | "unknown",
): void {
  const started = earlier.records.findLast(
    (record) => record.kind === "call" && record.call === toolCallId,
  );
  const run = inRun ?? started?.run ?? 0;
  const turn = inTurn ?? (started?.kind === "call" ? started.turn : 0);
  const text = `The process ended before ${tool} was done. ${WHAT_NOW[interrupted]}`;
  const message = { role: "tool", toolCallId, toolName: tool, text, success: false };
  writer.write({
    ...{ kind: "outcome", run, turn, sequence, at: Date.now(), call: toolCallId },
    ...{ status: "aborted", rolledBack: true, interrupted, message: writer.part(message) },
  });
}

const WHAT_NOW = {
  again: "Nothing that it did in the workspace was kept.",
  unknown: `Nothing that it did in the workspace was kept. ${UNKNOWN_OUTCOME}`,
} as const;

/** The calls with a start and no end, in their order, and those that only the journal knows. */
export function openCalls(
  events: Iterable<RecordedEvent>,
  interrupted: readonly InterruptedCall[],
): Iterable<OpenCall> {
  const open = new Map<unknown, OpenCall>();
  for (const event of events)
    if (StartToolCall.is(event))
      open.set(event.payload.toolCallId, { ...event.payload, start: event.sequence });
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
