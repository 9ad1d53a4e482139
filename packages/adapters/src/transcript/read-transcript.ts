import { AdapterError } from "../error/adapter-error.js";
import { partId, type Redact, redacted } from "./transcript-parts.js";
import {
  type PartId,
  TRANSCRIPT_FORMAT,
  TRANSCRIPT_VERSION,
  type TranscriptEntry,
} from "./transcript-record.js";

// biome-ignore format: one line reads better than eight.
const KINDS: readonly unknown[] = ["run", "ask", "turn", "failed", "call", "outcome", "added", "resume", "park", "answer", "approval", "context", "end"] satisfies
  readonly TranscriptEntry["kind"][];

/** The records of a transcript with their parts. Lines can be added while the transcript grows. */
export class TranscriptRecords {
  readonly #parts = new Map<PartId, string>();
  readonly #records: TranscriptEntry[] = [];
  readonly #redact: Redact | undefined;
  #lineCount = 0;

  constructor(redact?: Redact) {
    this.#redact = redact;
  }

  /** In the order of the file. */
  get records(): readonly TranscriptEntry[] {
    return this.#records;
  }

  /** The ids of all parts. */
  get partIds(): Iterable<PartId> {
    return this.#parts.keys();
  }

  /** Adds the next lines, without their newlines. Throws `TRANSCRIPT_INVALID`. */
  add(lines: Iterable<string>): void {
    for (const line of lines) this.#add(line, ++this.#lineCount);
  }

  has(id: PartId): boolean {
    return this.#parts.has(id);
  }

  /** The value of a part. Throws `TRANSCRIPT_INVALID` if it is missing. */
  part(id: PartId): unknown {
    const json = this.#parts.get(id);
    if (json === undefined) throw invalid(`part ${String(id)}`, "the part is missing");
    const value: unknown = JSON.parse(json);
    return this.#redact === undefined ? value : redacted(value, this.#redact);
  }

  #add(line: string, lineNumber: number): void {
    const subject = `transcript, line ${lineNumber}`;
    const part = /^\{"kind":"part","id":"([\w-]{20})","value":/.exec(line);
    if (part !== null) {
      const json = line.slice(part[0].length, -1);
      const id = part[1] ?? "";
      if (partId(json) !== id) throw invalid(subject, "the part does not match its hash");
      this.#parts.set(id, json);
      return;
    }
    const record = parse(line, subject);
    if (lineNumber === 1) requireFormat(record, subject);
    else if (isEntry(record)) this.#records.push(record);
    else throw invalid(subject, "the line is not a record of a transcript");
  }
}

function parse(line: string, subject: string): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw invalid(subject, "the line is not JSON", cause);
  }
}

function requireFormat(record: unknown, subject: string): void {
  const { format, version }: { format?: unknown; version?: unknown } = { ...Object(record) };
  if (format !== TRANSCRIPT_FORMAT) throw invalid(subject, "the file is not a transcript");
  if (version !== TRANSCRIPT_VERSION)
    throw invalid(subject, `its version is ${version}. This WINK reads ${TRANSCRIPT_VERSION}`);
}

function isEntry(value: unknown): value is TranscriptEntry {
  if (typeof value !== "object" || value === null) return false;
  const { kind, run, sequence, at }: Partial<Record<string, unknown>> = { ...value };
  return KINDS.includes(kind) && [run, sequence, at].every((each) => typeof each === "number");
}

function invalid(subject: string, reason: string, cause?: unknown): AdapterError {
  return new AdapterError("TRANSCRIPT_INVALID", { subject, reason, cause });
}
