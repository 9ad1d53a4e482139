import type { StreamName } from "../engine/engine.js";
import { decodeFrames, encodeFrames, toBytes, toText } from "../engine/frames.js";
import { StoreError } from "../engine/store-error.js";

/** A value inside the head, or in an object next to it when it is large. */
export type StoredPart = { readonly bytes: Uint8Array } | { readonly object: string };

/** Records that were moved out of the head, in one object. */
export interface Segment {
  readonly object: string;
  /** The number of its first record. */
  readonly first: number;
  readonly count: number;
  readonly sizeBytes: number;
}

/** What the value of a head's key contains. */
export interface HeadObject {
  readonly version: number;
  readonly epoch: number;
  readonly pools: readonly string[];
  readonly counts: Readonly<Record<StreamName, number>>;
  readonly recent: readonly string[];
  readonly sizeBytes: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly owner: string;
  readonly leaseUntilMs: number;
  readonly segments: Readonly<Record<StreamName, readonly Segment[]>>;
  /** The newest records. */
  readonly tail: Readonly<Record<StreamName, readonly Uint8Array[]>>;
  readonly state: StoredPart | undefined;
  readonly deltas: readonly StoredPart[];
  readonly entries: ReadonlyMap<string, StoredPart>;
  readonly keys: Uint8Array | undefined;
}

const FORMAT = 1;

/** A part in the JSON: the number of its frame, or the name of its object. */
type PartName = number | string;

export function encodeHead(head: HeadObject): Uint8Array {
  const frames: Uint8Array[] = [];
  const nameOf = (part: StoredPart): PartName =>
    "object" in part ? part.object : frames.push(part.bytes);
  const { state, deltas, entries, tail, keys, ...rest } = head;
  const json = {
    format: FORMAT,
    ...rest,
    state: state && nameOf(state),
    deltas: deltas.map(nameOf),
    entries: [...entries].map(([name, part]) => [name, nameOf(part)]),
    tail: {
      events: tail.events.map((bytes) => nameOf({ bytes })),
      transcript: tail.transcript.map((bytes) => nameOf({ bytes })),
    },
    keys: keys && nameOf({ bytes: keys }),
  };
  return encodeFrames([toBytes(JSON.stringify(json)), ...frames]);
}

export function decodeHead(bytes: Uint8Array, subject: string): HeadObject {
  const frames = decodeFrames(bytes, subject);
  const [text = new Uint8Array()] = frames;
  const json = parse(text, subject);
  if (json.format !== FORMAT)
    throw new StoreError(
      "CORRUPT_BLOB",
      subject,
      `its format ${json.format} is not supported. Update @wink/store`,
    );
  const frame = (index: number): Uint8Array => {
    const found = frames[index];
    if (found === undefined) throw new StoreError("CORRUPT_BLOB", subject);
    return found;
  };
  const partOf = (name: PartName): StoredPart =>
    typeof name === "string" ? { object: name } : { bytes: frame(name) };
  const { format: _, state, deltas, entries, tail, keys, ...rest } = json;
  return {
    ...rest,
    state: state === undefined ? undefined : partOf(state),
    deltas: deltas.map(partOf),
    entries: new Map(entries.map(([name, part]) => [name, partOf(part)])),
    tail: { events: tail.events.map(frame), transcript: tail.transcript.map(frame) },
    keys: keys === undefined ? undefined : frame(keys),
  };
}

type HeadJson = Omit<HeadObject, "state" | "deltas" | "entries" | "tail" | "keys"> & {
  readonly format: number;
  readonly state?: PartName;
  readonly deltas: readonly PartName[];
  readonly entries: readonly (readonly [string, PartName])[];
  readonly tail: Readonly<Record<StreamName, readonly number[]>>;
  readonly keys?: number;
};

function parse(text: Uint8Array, subject: string): HeadJson {
  try {
    // Only `encodeHead` writes it.
    return JSON.parse(toText(text)) as HeadJson;
  } catch (error) {
    throw new StoreError("CORRUPT_BLOB", subject, "its stored form is damaged", { cause: error });
  }
}

/** The objects that a head needs besides its own. */
export function objectsOf({ state, deltas, entries, segments }: HeadObject): ReadonlySet<string> {
  const parts = [...(state ? [state] : []), ...deltas, ...entries.values()];
  return new Set([
    ...parts.flatMap((part) => ("object" in part ? [part.object] : [])),
    ...[...segments.events, ...segments.transcript].map(({ object }) => object),
  ]);
}
