import type { JsonValue } from "../define/json-value.js";
import { parseJson } from "../define/parse-json.js";
import { freezeData } from "../define/plain-data.js";
import { isSessionError, SessionError } from "../define/session-error.js";
import type { StoredSlice } from "../state/stored-slice.js";
import { checksum } from "./checksum.js";

const SNAPSHOT_FORMAT = "wink.session-snapshot";

/** The version of the envelope below. Each slice has its own version. */
const SNAPSHOT_VERSION = 1;

/** A session's state as JSON. */
export interface SnapshotJson {
  readonly format: typeof SNAPSHOT_FORMAT;
  readonly version: typeof SNAPSHOT_VERSION;
  readonly id: string;
  readonly tags: Readonly<Record<string, string>>;
  /** The number of the last included event. */
  readonly sequence: number;
  readonly slices: Readonly<
    Record<string, { readonly version: number; readonly items: readonly JsonValue[] }>
  >;
  /** The checksum of all other fields, to detect damage. Omit it when you write a snapshot by hand. */
  readonly checksum?: string;
}

/** A snapshot's JSON after a check of its form. The definitions have not checked the slices yet. */
export interface DecodedSnapshot {
  readonly id: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly sequence: number;
  readonly slices: ReadonlyMap<string, StoredSlice>;
}

export function encodeSnapshot(snapshot: DecodedSnapshot): SnapshotJson {
  const { id, tags, sequence, slices } = snapshot;
  const content = {
    format: SNAPSHOT_FORMAT,
    version: SNAPSHOT_VERSION,
    id,
    tags,
    sequence,
    // Sorted, so that equal sessions give equal text. Items were checked as plain data when they were written.
    slices: Object.fromEntries(
      [...slices].sort(byName).map(([name, { version, items }]) => [name, { version, items }]),
    ) as SnapshotJson["slices"],
  } as const;
  return { ...content, checksum: checksum(JSON.stringify(content)) };
}

/** Reads a snapshot from JSON text or from a parsed JSON value. */
export function decodeSnapshot(source: unknown): DecodedSnapshot {
  try {
    return decode(typeof source === "string" ? parseJson(source) : toPlain(source));
  } catch (cause) {
    if (isSessionError(cause, "SNAPSHOT_INVALID") || isSessionError(cause, "SNAPSHOT_VERSION"))
      throw cause;
    const path = isSessionError(cause) ? cause.path : undefined;
    throw new SessionError("SNAPSHOT_INVALID", "snapshot", undefined, { path, cause });
  }
}

/** A session, or a snapshot of another copy of this package, has its own `toJSON`. */
function toPlain(source: unknown): unknown {
  if (!isRecord(source) || typeof source["toJSON"] !== "function") return source;
  return source["toJSON"]();
}

function decode(data: unknown): DecodedSnapshot {
  if (!isRecord(data) || data["format"] !== SNAPSHOT_FORMAT)
    throw invalid("it is not a session snapshot");
  const { format: _, version, id, tags, sequence, slices, checksum: stated, ...rest } = data;
  checkEnvelopeVersion(version);
  if (typeof id !== "string" || id === "") throw invalid("id must be a string that is not empty");
  if (!isTags(tags)) throw invalid("tags must be strings");
  if (!isCount(sequence)) throw invalid("sequence must be a whole number of at least 0");
  if (!isRecord(slices)) throw invalid("slices must be an object");
  if (Object.keys(rest).length > 0) throw invalid("it has unknown keys");
  const decoded: DecodedSnapshot = {
    id,
    tags: freezeData(tags, "snapshot", "tags"),
    sequence,
    slices: new Map(Object.entries(slices).map(decodeSlice)),
  };
  if (stated !== undefined && stated !== encodeSnapshot(decoded).checksum)
    throw invalid(
      "the checksum is wrong: it is damaged, or was edited without removing the checksum",
    );
  return decoded;
}

function decodeSlice([name, slice]: [string, unknown]): [string, StoredSlice] {
  const subject = `slice '${name.slice(0, 80)}'`;
  if (name === "__proto__") throw invalid("the name '__proto__' is not allowed");
  const isSlice = isRecord(slice) && Object.keys(slice).length === 2;
  const { version, items } = isSlice ? slice : {};
  if (!isCount(version) || version < 1 || !Array.isArray(items))
    throw invalid("a slice must have exactly a version and items", subject);
  const frozen = Array.from(items, (item: unknown, index) =>
    freezeData(item, subject, `slices.${name.slice(0, 80)}.items[${index}]`),
  );
  return [name, { version, items: frozen }];
}

function checkEnvelopeVersion(version: unknown): void {
  if (version === SNAPSHOT_VERSION) return;
  const reason =
    isCount(version) && version > SNAPSHOT_VERSION
      ? `the format has version ${version}, but this package reads version ${SNAPSHOT_VERSION}`
      : "the format version is invalid";
  throw new SessionError("SNAPSHOT_VERSION", "snapshot", reason);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isTags(value: unknown): value is Readonly<Record<string, string>> {
  return isRecord(value) && Object.values(value).every((tag) => typeof tag === "string");
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}

function invalid(reason: string, subject = "snapshot"): SessionError {
  return new SessionError("SNAPSHOT_INVALID", subject, reason);
}
