import { type FileHandle, open } from "node:fs/promises";
import { requireOptions, requirePath } from "../define/check-argument.js";
import { isSessionError, SessionError } from "../define/session-error.js";
import type { Session } from "../session/session.js";
import type { SessionSnapshot } from "../snapshot/session-snapshot.js";
import { decodeRecord, invalidLine } from "./log-record.js";
import { type Line, type LogFile, readLines } from "./read-lines.js";
import { REPLAY_OPTIONS, Replayer, type ReplayOptions } from "./replayer.js";

/**
 * Builds the session of a log, completely or up to one event.
 *
 * A writer may have the log open at the same time. Rejects with `LOG_INVALID` for a damaged log and with
 * `EVENT_UNKNOWN` when the log ends before `upTo`.
 */
export async function replayLog(
  path: string,
  options: ReplayOptions & {
    /** Stops after the event with this number. @default the whole log */
    readonly upTo?: number;
  } = {},
): Promise<Session> {
  requirePath("replayLog", path);
  requireOptions("replayLog", options, [...REPLAY_OPTIONS, "upTo"]);
  const { upTo, ...rest } = options;
  const file = await openForReading(path);
  try {
    const { session } = await replayFile(file, rest, { upTo });
    if (!session) throw invalidLine(1, "the log has no start record");
    if (upTo !== undefined && session.events.lastSequence < upTo)
      throw new SessionError(
        "EVENT_UNKNOWN",
        `event ${upTo}`,
        `the log ends at event ${session.events.lastSequence}`,
      );
    return session;
  } finally {
    await file.close();
  }
}

export interface Replayed {
  /** `undefined` when the log does not even have a first line. */
  readonly session: Session | undefined;
  /** The offset after the last complete line. */
  readonly endBytes: number;
  /** The state before the first event of the log. */
  readonly firstState: { readonly sequence: number; readonly lastSequence: number } | undefined;
  /** The state that `returnTo` asked for. */
  readonly returnState: SessionSnapshot | undefined;
}

interface ReplayFileOptions {
  /** Stops after the event with this number. @default the whole log */
  readonly upTo?: number | undefined;
  /** Keeps the state after this event. @default none */
  readonly returnTo?: number | undefined;
}

export async function replayFile(
  file: LogFile,
  options: ReplayOptions,
  limits: ReplayFileOptions = {},
): Promise<Replayed> {
  // Ignores later writes, so that both passes read the same records.
  const { size } = await file.stat();
  return await replayLines(() => readLines(file, 0, size), options, limits);
}

/** @param lines called twice, because the first pass finds the states that the second must keep */
export async function replayLines(
  lines: () => AsyncIterable<Line> | Iterable<Line>,
  options: ReplayOptions,
  { upTo = Number.POSITIVE_INFINITY, returnTo }: ReplayFileOptions = {},
): Promise<Replayed> {
  const targets = await restoreTargets(lines());
  if (returnTo !== undefined) targets.add(returnTo);
  const replayer = new Replayer(options, targets);
  let endBytes = 0;
  let lineNumber = 0;
  let firstState: Replayed["firstState"];
  for await (const line of lines()) {
    const record = decodeRecord(line.text, ++lineNumber);
    if (record.kind === "start" && upTo < record.lastSequence)
      throw new SessionError(
        "EVENT_UNKNOWN",
        `event ${upTo}`,
        `the log begins after event ${record.lastSequence}`,
      );
    replayer.apply(record);
    if (record.kind === "start") {
      const { lastSequence } = record;
      firstState = { sequence: replayer.session?.sequence ?? 0, lastSequence };
    }
    endBytes = line.endBytes;
    if ((replayer.session?.events.lastSequence ?? 0) >= upTo) break;
  }
  const returnState = returnTo === undefined ? undefined : replayer.stateAfter(returnTo);
  return { session: replayer.session, endBytes, firstState, returnState };
}

/** The events that restore records return to. Only their states are kept during the replay. */
async function restoreTargets(lines: AsyncIterable<Line> | Iterable<Line>): Promise<Set<number>> {
  const targets = new Set<number>();
  let lineNumber = 0;
  for await (const { text } of lines) {
    lineNumber++;
    if (!text.startsWith('{"kind":"restore"')) continue;
    const record = decodeRecord(text, lineNumber);
    if (record.kind === "restore") targets.add(record.sequence);
  }
  return targets;
}

export async function openForReading(path: string): Promise<FileHandle> {
  try {
    const file = await open(path, "r");
    if ((await file.stat()).isFile()) return file;
    await file.close();
    throw new SessionError("LOG_INVALID", "log", "it is not a file");
  } catch (cause) {
    if (isSessionError(cause)) throw cause;
    throw new SessionError("LOG_INVALID", "log", "the file cannot be opened", { cause });
  }
}
