import type { MaybePromise, WalkEntry } from "../driver.js";
import { decodeText, type FileContent } from "../file-content.js";
import { isFilesystemError } from "../filesystem-error.js";
import { holdNul } from "./bytes-hold.js";
import type { GrepEngine } from "./grep-engine.js";
import { looksBinary } from "./looks-binary.js";

/** The text of a file that might match; or why there is none. */
export type Looked = string | typeof NO_MATCH | typeof BINARY | typeof NOT_READ | LoadFailure;

/** It is text, and cannot match. */
export const NO_MATCH = Symbol("no match");
export const BINARY = Symbol("binary");
/** It is too large, special, gone, or may not be read. */
export const NOT_READ = Symbol("not read");

/** A failure of the backend, kept as a value: a look that nobody comes back for must not end the process. */
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

/** Looks into a file as far as needed to tell whether it must be searched. */
export function lookIntoFile(
  entry: WalkEntry,
  engine: GrepEngine,
  maxBytes: number,
): MaybePromise<Looked> {
  // Opening a FIFO would wait for ever.
  if (entry.kind !== "file") return NOT_READ;
  try {
    if (entry.peek) return lookAtBytes(entry.peek(maxBytes), engine);
    const loaded = entry.load(maxBytes);
    if (loaded instanceof Promise)
      return loaded.then((content) => lookAtContent(content, engine)).catch(toFailure);
    return lookAtContent(loaded, engine);
  } catch (error) {
    return toFailure(error);
  }
}

function lookAtContent(content: FileContent | undefined, engine: GrepEngine): Looked {
  if (content === undefined) return NOT_READ;
  const text = content.text();
  if (text === undefined || content.isBinary()) return BINARY;
  return engine.mightMatch(text) ? text : NO_MATCH;
}

/** Bytes are only made into text when it must be searched, or when it is not plain what they are. */
function lookAtBytes(bytes: Uint8Array | undefined, engine: GrepEngine): Looked {
  if (bytes === undefined) return NOT_READ;
  if (!engine.mightMatchBytes(bytes) && isPlainText(bytes)) return NO_MATCH;
  const text = decodeText(bytes);
  if (text === undefined || looksBinary(text)) return BINARY;
  return engine.mightMatch(text) ? text : NO_MATCH;
}

const isUtf8 = globalThis.process?.getBuiltinModule?.("node:buffer")?.isUtf8;

/** Whether it can be told without decoding that these bytes are text and hold no NUL. */
function isPlainText(bytes: Uint8Array): boolean {
  return isUtf8?.(bytes) === true && !holdNul(bytes);
}

/** A file that went away or may not be read is no fault of the search; a backend that fails is. */
function toFailure(error: unknown): Looked {
  return isFilesystemError(error) && error.code !== "EIO" ? NOT_READ : new LoadFailure(error);
}
