import type { JsonValue } from "../define/json-value.js";
import { parseJson } from "../define/parse-json.js";
import { freezeData } from "../define/plain-data.js";
import { isSessionError, SessionError } from "../define/session-error.js";
import type { StoredSlice } from "../state/stored-slice.js";
import { checksum } from "./checksum.js";

export const SNAPSHOT_FORMAT = "wink.session-snapshot";

/** The version of the envelope below. Slices have versions of their own. */
export const SNAPSHOT_VERSION = 1;

/** A session's state as JSON. */
export interface SnapshotJson {
  readonly format: typeof SNAPSHOT_FORMAT;
  readonly version: typeof SNAPSHOT_VERSION;
  readonly id: string;
  readonly tags: Readonly<Record<string, string>>;
  /** The last event that is part of the state. */
  readonly sequence: number;
  readonly slices: Readonly<Record<string, StoredSliceJson>>;
  /** Over all of the above, so that damage is found. Leave it out when writing one by hand. */
  readonly checksum?: string;
}

export interface StoredSliceJson {
  readonly version: number;
  readonly items: readonly JsonValue[];
}

/** What a snapshot's JSON says, checked for its form; slices are not yet read by definitions. */
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
    // Sorted, so that equal sessions give equal text. Items are plain data: they were checked when written.
    slices: Object.fromEntries(
      [...slices].sort(byName).map(([name, { version, items }]) => [name, { version, items }]),
    ) as Readonly<Record<string, StoredSliceJson>>,
  } as const;
  return { ...content, checksum: checksum(JSON.stringify(content)) };
}

/** Reads a snapshot from JSON text or from what `JSON.parse` made of it. */
export function decodeSnapshot(source: unknown): DecodedSnapshot {
  try {
    return decode(typeof source === "string" ? parseJson(source) : toPlain(source));
  } catch (cause) {
    if (isSessionError(cause, "snapshot_invalid") || isSessionError(cause, "snapshot_version"))
      throw cause;
    const path = isSessionError(cause) ? cause.path : undefined;
    throw new SessionError("snapshot_invalid", { subject: "snapshot", path, cause });
  }
}

/** A session, or a snapshot from another copy of this package, says by itself what it holds. */
function toPlain(source: unknown): unknown {
  if (!isRecord(source) || typeof source["toJSON"] !== "function") return source;
  return source["toJSON"]();
}

function decode(data: unknown): DecodedSnapshot {
  if (!isRecord(data) || data["format"] !== SNAPSHOT_FORMAT)
    throw invalid("it is not a session snapshot");
  const { format: _, version, id, tags, sequence, slices, checksum: stated, ...rest } = data;
  checkEnvelopeVersion(version);
  if (typeof id !== "string" || id === "") throw invalid("id is a text");
  if (!isTags(tags)) throw invalid("tags are texts");
  if (!isCount(sequence)) throw invalid("sequence is a whole number from 0");
  if (!isRecord(slices)) throw invalid("slices are an object");
  if (Object.keys(rest).length > 0) throw invalid("it has keys that do not belong there");
  const decoded: DecodedSnapshot = {
    id,
    tags: freezeData(tags, "snapshot", "tags"),
    sequence,
    slices: new Map(Object.entries(slices).map(decodeSlice)),
  };
  if (stated !== undefined && stated !== encodeSnapshot(decoded).checksum)
    throw invalid("it is damaged, or was edited by hand and still has its checksum");
  return decoded;
}

function decodeSlice([name, slice]: [string, unknown]): [string, StoredSlice] {
  const subject = `slice '${name.slice(0, 80)}'`;
  if (name === "__proto__") throw invalid("the name '__proto__' is refused");
  const isSlice = isRecord(slice) && Object.keys(slice).length === 2;
  const { version, items } = isSlice ? slice : {};
  if (!isCount(version) || version < 1 || !Array.isArray(items))
    throw invalid("a slice has a version and items", subject);
  const frozen = Array.from(items, (item: unknown, index) =>
    freezeData(item, subject, `slices.${name.slice(0, 80)}.items[${index}]`),
  );
  return [name, { version, items: frozen }];
}

function checkEnvelopeVersion(version: unknown): void {
  if (version === SNAPSHOT_VERSION) return;
  const reason =
    isCount(version) && version > SNAPSHOT_VERSION
      ? `its format has version ${version}; this package reads version ${SNAPSHOT_VERSION}`
      : "its format has no version that was ever written";
  throw new SessionError("snapshot_version", { subject: "snapshot", reason });
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
  return new SessionError("snapshot_invalid", { subject, reason });
}
