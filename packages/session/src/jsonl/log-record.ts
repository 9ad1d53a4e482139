import type { JsonObject } from "../define/json-value.js";
import { parseJson } from "../define/parse-json.js";
import { freezeData } from "../define/plain-data.js";
import { SessionError } from "../define/session-error.js";
import { checksum } from "../snapshot/checksum.js";
import type { SnapshotJson } from "../snapshot/snapshot-json.js";
import type { RecordedEvent } from "../state/event-trail.js";

export const LOG_VERSION = 1;

/** One line of a log. */
export type LogRecord =
  | {
      readonly kind: "start";
      readonly version: typeof LOG_VERSION;
      /** The number of the last event before the log begins. */
      readonly lastSequence: number;
      /** The initial state. It also contains the session's id and tags. */
      readonly state: SnapshotJson;
    }
  | { readonly kind: "event"; readonly event: RecordedEvent }
  | {
      readonly kind: "restore";
      /** The state is the one after this event again. */
      readonly sequence: number;
      readonly reason: string;
      readonly timestampMs: number;
      /** That state, if it is older than the log. */
      readonly state?: SnapshotJson;
    }
  | {
      readonly kind: "load";
      readonly event: RecordedEvent;
      readonly reason: string;
      readonly state: SnapshotJson;
    };

const SUM_LENGTH = ',"sum":"00000000"}'.length;

/** Encodes a record as one line of JSON with a checksum at the end. */
export function encodeRecord(record: LogRecord): string {
  const text = JSON.stringify(record);
  return `${text.slice(0, -1)},"sum":"${checksum(text)}"}\n`;
}

/** Decodes a line without its newline. Throws `LOG_INVALID`. */
export function decodeRecord(line: string, lineNumber: number): LogRecord {
  const text = `${line.slice(0, -SUM_LENGTH)}}`;
  if (line.slice(-SUM_LENGTH) !== `,"sum":"${checksum(text)}"}`)
    throw invalidLine(lineNumber, "the checksum of the line is wrong");
  let data: unknown;
  try {
    data = freezeRecord(parseJson(text));
  } catch (cause) {
    throw invalidLine(lineNumber, "the line is not plain JSON", cause);
  }
  if (isRecord(data)) return data;
  throw invalidLine(lineNumber, "the line is not a session record");
}

export function invalidLine(lineNumber: number, reason: string, cause?: unknown): SessionError {
  return new SessionError("LOG_INVALID", `line ${lineNumber}`, reason, { cause });
}

/** Freezes the event, because it becomes part of a session. A state is frozen item by item when it is read. */
function freezeRecord(data: unknown): unknown {
  if (!isObject(data) || !("event" in data)) return data;
  return { ...data, event: freezeData(data["event"], "log", "event") };
}

function isRecord(data: unknown): data is LogRecord {
  if (!isObject(data)) return false;
  const { kind, event, sequence, lastSequence, version, reason, timestampMs, state } = data;
  switch (kind) {
    case "start":
      return version === LOG_VERSION && isCount(lastSequence) && isObject(state);
    case "event":
      return isEvent(event);
    case "restore":
      return (
        isCount(sequence) && typeof reason === "string" && isTime(timestampMs) && isState(state)
      );
    case "load":
      return isEvent(event) && typeof reason === "string" && isObject(state);
    default:
      return false;
  }
}

function isEvent(event: unknown): event is RecordedEvent {
  if (!isObject(event)) return false;
  const { sequence, timestampMs, type, payload, meta, ...rest } = event;
  return (
    isCount(sequence) &&
    isTime(timestampMs) &&
    typeof type === "string" &&
    payload !== undefined &&
    (meta === undefined || isObject(meta)) &&
    Object.keys(rest).length === 0
  );
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `SessionSnapshot.parse` checks the details. */
function isState(value: unknown): boolean {
  return value === undefined || isObject(value);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isTime(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value);
}
