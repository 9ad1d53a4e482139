import { AdapterError } from "../error/adapter-error.js";
import { isModelErrorCode, type ModelError } from "../error/model-error.js";
import type { ContextOptions } from "../runtime/loop/context-window.js";
import { isModelTurn } from "../runtime/loop/is-model-turn.js";
import type { ModelRequest, ModelTurn } from "../runtime/loop/model-client.js";

/** One recorded model request with its response. */
export interface CassetteEntry {
  readonly request: ModelRequest;
  /** The text in the chunks in which it was streamed. */
  readonly deltas: readonly string[];
  readonly turn?: ModelTurn | undefined;
  /** Set when the request to the model failed. */
  readonly error?:
    | {
        readonly code: ModelError["code"];
        readonly message: string;
        readonly retryAfterMs?: number | undefined;
      }
    | undefined;
}

/** A recorded run. Store it with `JSON.stringify` and read it with {@link parseCassette}. */
export interface Cassette {
  readonly version: 1;
  /** The name of the model client. */
  readonly model: string;
  readonly entries: readonly CassetteEntry[];
  /** How the conversation was kept inside the model's context window. @default it was never shortened */
  readonly context?: ContextOptions | undefined;
}

/** Parses a cassette from JSON text. Throws `CASSETTE_INVALID` if the text is not a cassette. */
export function parseCassette(json: string): Cassette {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    throw invalidCassette("it is not JSON", cause);
  }
  if (!isCassette(value)) throw invalidCassette("it is not a recorded run of version 1");
  return { ...value, entries: value.entries.map(withUpperCaseCode) };
}

function invalidCassette(problem: string, cause?: unknown): AdapterError {
  const reason = `${problem}. Record the run again with RecordingModel`;
  return new AdapterError("CASSETTE_INVALID", { subject: "cassette", reason, cause });
}

/** The codes of errors were written in lower case at first. */
function withUpperCaseCode(entry: CassetteEntry): CassetteEntry {
  if (entry.error === undefined) return entry;
  const code = entry.error.code.toUpperCase() as ModelError["code"];
  return { ...entry, error: { ...entry.error, code } };
}

export function isCassette(value: unknown): value is Cassette {
  if (typeof value !== "object" || value === null) return false;
  if (!("version" in value) || value.version !== 1) return false;
  if (!("model" in value) || typeof value.model !== "string") return false;
  return "entries" in value && Array.isArray(value.entries) && value.entries.every(isEntry);
}

function isEntry(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (!("request" in value) || typeof value.request !== "object" || value.request === null)
    return false;
  if (!("deltas" in value) || !isList(value.deltas, isText)) return false;
  return ("turn" in value && isModelTurn(value.turn)) || ("error" in value && isError(value.error));
}

function isError(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (!("code" in value) || !("message" in value)) return false;
  return typeof value.code === "string" && isModelErrorCode(value.code.toUpperCase());
}

function isList(value: unknown, each: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(each);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
