import { decodeText, type FileContent } from "../../content/file-content.js";
import { looksBinary } from "../../content/looks-binary.js";
import type { MaybePromise, WalkEntry } from "../../driver/driver.js";
import { isFilesystemError } from "../../protocol/filesystem-error.js";
import type { TimeSlices } from "../walk/time-slices.js";
import { holdNul } from "./bytes-hold.js";
import type { GrepEngine } from "./grep-engine.js";
import { MAX_LOOK_LENGTH } from "./needle-look.js";

/** What came of opening a file: its content, or bytes that are lent until the next file is opened. */
export type Loaded = FileContent | Uint8Array | typeof NOT_READ | LoadFailure;

/** The text of a file that might match; or why there is none. */
export type Looked = string | typeof NO_MATCH | typeof BINARY | typeof NOT_READ;

/** It is text, and cannot match. */
export const NO_MATCH = Symbol("no match");
export const BINARY = Symbol("binary");
/** It is too large, special, gone, or may not be read. */
export const NOT_READ = Symbol("not read");

/** A failure of the backend, kept as a value: a file that nobody comes back for must not end the process. */
export class LoadFailure {
  readonly error: unknown;

  constructor(error: unknown) {
    this.error = error;
  }
}

/** Tells which contents need not come to the search at all: those that would be looked into and not match. */
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
  // Opening a FIFO would wait for ever.
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

/** Looks into a file as far as needed to tell whether it must be searched: at once, unless it is long. */
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

/** Bytes are only made into text when it must be searched, or when it is not plain what they are. */
function judgeBytes(bytes: Uint8Array, mightMatch: boolean): Looked {
  if (!mightMatch && isPlainText(bytes)) return NO_MATCH;
  const text = decodeText(bytes);
  if (text === undefined || looksBinary(text)) return BINARY;
  return mightMatch ? text : NO_MATCH;
}

const isUtf8 = globalThis.process?.getBuiltinModule?.("node:buffer")?.isUtf8;

/** Whether it can be told without decoding that these bytes are text and hold no NUL. */
function isPlainText(bytes: Uint8Array): boolean {
  return isUtf8?.(bytes) === true && !holdNul(bytes);
}

function toFailure(error: unknown): typeof NOT_READ | LoadFailure {
  return isOfBackend(error) ? new LoadFailure(error) : NOT_READ;
}

/** A file that went away or may not be read is no fault of the search; a backend that fails is. */
export function isOfBackend(error: unknown): boolean {
  return !isFilesystemError(error) || error.code === "EIO";
}
