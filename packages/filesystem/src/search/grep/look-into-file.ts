import { decodeText, type FileContent } from "../../content/file-content.js";
import { looksBinary } from "../../content/looks-binary.js";
import type { TimeSlices } from "../../content/time-slices.js";
import type { WalkEntry } from "../../driver/driver-accelerators.js";
import { isFilesystemError } from "../../protocol/filesystem-error.js";
import type { MaybePromise } from "../../protocol/maybe-promise.js";
import { holdNul } from "./contains-bytes.js";
import type { GrepEngine } from "./grep-engine.js";
import { MAX_LOOK_LENGTH } from "./literal-prefilter.js";

/** The result of loading a file: its content, or bytes that are valid until the next file is loaded. */
export type Loaded = FileContent | Uint8Array | typeof NOT_READ | LoadFailure;

/** The text of a file that might match, or the reason why there is none. */
export type Looked = string | typeof NO_MATCH | typeof BINARY | typeof NOT_READ;

/** The file is text and cannot match. */
const NO_MATCH = Symbol("no match");
export const BINARY = Symbol("binary");
/** The file is too large, special, deleted or unreadable. */
export const NOT_READ = Symbol("not read");

/**
 * An error of the backend, stored as a value: if the file is never needed, an unhandled rejection would end the
 * process.
 */
class LoadFailure {
  readonly error: unknown;

  constructor(error: unknown) {
    this.error = error;
  }
}

/** Returns a filter for text that cannot match and therefore need not be searched. */
export function cannotMatch(
  engine: GrepEngine,
  maxBytes: number,
): (content: FileContent) => boolean {
  return (content) => {
    if (content.sizeBytes > maxBytes || content.isBinary()) return false;
    const text = content.text();
    return text !== undefined && !engine.mightMatch(text);
  };
}

export function loadEntry(entry: WalkEntry, maxBytes: number): MaybePromise<Loaded> {
  // Opening a FIFO would block forever.
  if (entry.kind !== "file") return NOT_READ;
  try {
    if (entry.peek) return entry.peek(maxBytes) ?? NOT_READ;
    const loaded = entry.load(maxBytes);
    if (loaded instanceof Promise)
      return loaded.then((content) => content ?? NOT_READ).catch(toFailure);
    return loaded ?? NOT_READ;
  } catch (error) {
    return toFailure(error);
  }
}

/** Decides whether a file must be searched. Synchronous, unless the file is long. */
export function lookIntoFile(
  loaded: Loaded,
  engine: GrepEngine,
  slices: TimeSlices,
): MaybePromise<Looked> {
  if (loaded instanceof LoadFailure) throw loaded.error;
  if (loaded === NOT_READ) return NOT_READ;
  return loaded instanceof Uint8Array
    ? lookAtBytes(loaded, engine, slices)
    : lookAtContent(loaded, engine, slices);
}

function lookAtContent(
  content: FileContent,
  engine: GrepEngine,
  slices: TimeSlices,
): MaybePromise<Looked> {
  const text = content.text();
  if (text === undefined || content.isBinary()) return BINARY;
  if (text.length <= MAX_LOOK_LENGTH) return engine.mightMatch(text) ? text : NO_MATCH;
  return engine.lookThrough(text, slices).then((might) => (might ? text : NO_MATCH));
}

function lookAtBytes(
  bytes: Uint8Array,
  engine: GrepEngine,
  slices: TimeSlices,
): MaybePromise<Looked> {
  if (bytes.length <= MAX_LOOK_LENGTH) return judgeBytes(bytes, engine.mightMatchBytes(bytes));
  return engine.lookThrough(bytes, slices).then((might) => judgeBytes(bytes, might));
}

/** Decodes the bytes only if they must be searched, or if it is unclear whether they are text. */
function judgeBytes(bytes: Uint8Array, mightMatch: boolean): Looked {
  if (!mightMatch && isPlainText(bytes)) return NO_MATCH;
  const text = decodeText(bytes);
  if (text === undefined || looksBinary(text)) return BINARY;
  return mightMatch ? text : NO_MATCH;
}

const isUtf8 = globalThis.process?.getBuiltinModule?.("node:buffer")?.isUtf8;

/** Whether these bytes are UTF-8 without a NUL, checked without decoding. */
function isPlainText(bytes: Uint8Array): boolean {
  return isUtf8?.(bytes) === true && !holdNul(bytes);
}

function toFailure(error: unknown): typeof NOT_READ | LoadFailure {
  return isOfBackend(error) ? new LoadFailure(error) : NOT_READ;
}

/** A deleted or unreadable file is not an error of the search; a failing backend is. */
export function isOfBackend(error: unknown): boolean {
  return !isFilesystemError(error) || error.code === "EIO";
}
