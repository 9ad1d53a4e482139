import { type BlobRef, StoreError } from "@wink/store";
import type { FilesystemSnapshot } from "../snapshots/filesystem-snapshot.js";
import type { Chunk } from "./manifest.js";
import type { Row } from "./node-row.js";

const FORMAT = "wink-files";
const VERSION = 1;

/** A stored version of all files: a manifest, and the nodes that have changed since it was written. */
export interface FilesState {
  readonly chunks: readonly Chunk[];
  /** Where the list of the chunks is, if there are many of them. */
  readonly index: BlobRef | undefined;
  readonly changes: ReadonlyMap<string, Row>;
}

export const EMPTY_STATE: FilesState = { chunks: [], index: undefined, changes: new Map() };

/** A state as it is stored. The chunks must be read from `index` if it is given. */
export interface DecodedState {
  readonly chunks: readonly Chunk[];
  readonly index: BlobRef | undefined;
  readonly changes: readonly Row[];
  readonly snapshot: FilesystemSnapshot | undefined;
  /** The id of the state to which the changes belong, if it is not a complete state. */
  readonly after: string | undefined;
}

interface StateForm {
  readonly format: typeof FORMAT;
  readonly version: typeof VERSION;
  readonly chunks?: readonly (readonly [first: string, ref: string])[];
  readonly index?: BlobRef;
  readonly changes: readonly Row[];
  readonly snapshot?: FilesystemSnapshot;
  readonly after?: string;
}

export function encodeState(
  { chunks, index, changes }: FilesState,
  facts: Pick<StateForm, "snapshot" | "after"> = {},
): Uint8Array {
  const form: StateForm = {
    format: FORMAT,
    version: VERSION,
    ...(index === undefined ? { chunks: chunks.map(({ first, ref }) => [first, ref]) } : { index }),
    changes: sortedRows(changes),
    ...facts,
  };
  return new TextEncoder().encode(JSON.stringify(form));
}

export function decodeState(bytes: Uint8Array): DecodedState {
  const form = parse(bytes) as Partial<StateForm>;
  if (form.format !== FORMAT)
    throw new StoreError("ARGUMENT_INVALID", "head", "it does not contain files");
  if (form.version !== VERSION)
    throw new StoreError(
      "ARGUMENT_INVALID",
      "head",
      `its files have format ${form.version}, and this version of @wink/filesystem reads ${VERSION}. Use a newer one`,
    );
  const { chunks = [], index, changes = [], snapshot, after } = form;
  const list = chunks.map(([first, ref]) => ({ first, ref }));
  return { chunks: list, index, changes, snapshot, after };
}

export function encodeRows(rows: readonly Row[]): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(rows));
}

export function decodeRows(bytes: Uint8Array): readonly Row[] {
  const rows = parse(bytes);
  if (!Array.isArray(rows)) throw new StoreError("CORRUPT_BLOB", "head");
  return rows as readonly Row[];
}

export function encodeIndex(chunks: readonly Chunk[]): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(chunks.map(({ first, ref }) => [first, ref])));
}

export function decodeIndex(bytes: Uint8Array): readonly Chunk[] {
  const pairs = parse(bytes);
  if (!Array.isArray(pairs)) throw new StoreError("CORRUPT_BLOB", "head");
  return (pairs as [string, string][]).map(([first, ref]) => ({ first, ref }));
}

/** Merges changes. For equal keys, the later change wins. */
export function mergeChanges(
  before: ReadonlyMap<string, Row>,
  later: Iterable<Row>,
): ReadonlyMap<string, Row> {
  const changes = new Map(before);
  for (const row of later) changes.set(row[0], row);
  return changes;
}

/** The changes in the order of their keys. Needed to store or apply them, not for each commit. */
export function sortedRows(changes: ReadonlyMap<string, Row>): readonly Row[] {
  return [...changes.values()].sort(([a], [b]) => (a < b ? -1 : 1));
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    throw new StoreError("CORRUPT_BLOB", "head", undefined, { cause });
  }
}
