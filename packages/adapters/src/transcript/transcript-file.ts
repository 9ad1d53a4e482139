import { existsSync, readFileSync } from "node:fs";
import { AppendFile } from "@wink/filesystem/host";
import type { RunTranscript } from "@wink/prompt";
import { AdapterError } from "../error/adapter-error.js";
import { invalid, requireOptions } from "../runtime/context/require-options.js";
import { TranscriptRecords } from "./read-transcript.js";
import type { Redact } from "./transcript-parts.js";
import { type OnRunStarted, TranscriptRecorder } from "./transcript-recorder.js";
import { TranscriptWriter } from "./transcript-writer.js";

export interface OpenTranscriptOptions {
  /**
   * Replaces texts before they are stored, for example to remove names. A run whose transcript is redacted cannot be
   * resumed. @default texts are stored unchanged
   */
  readonly redact?: Redact | undefined;
  /** Whether each record is flushed to disk. @default false */
  readonly fsync?: boolean | undefined;
}

export interface TranscriptFileOptions extends OpenTranscriptOptions {
  /** Called when the first prompt of an evaluation is rendered. */
  readonly onStart?: OnRunStarted | undefined;
}

/** A transcript that is written to a file. One process may have it open. */
export class TranscriptFile implements RunTranscript, Disposable {
  readonly recorder: TranscriptRecorder;
  readonly writer: TranscriptWriter;
  readonly #path: string;
  readonly #file: AppendFile;
  /** What earlier processes wrote. */
  readonly #earlier: TranscriptRecords;

  /** Continues an existing file. Removes a last line that a killed process left incomplete. */
  constructor(path: string, { redact, fsync = false, onStart }: TranscriptFileOptions = {}) {
    const { records, sizeBytes } = readFile(path);
    this.#path = path;
    this.#earlier = records;
    this.#file = new AppendFile(path, { sizeBytes, fsync });
    const target = { append: (lines: string) => this.#append(lines) };
    const isNew = sizeBytes === 0;
    this.writer = new TranscriptWriter(target, { known: records.partIds, isNew, redact });
    this.recorder = new TranscriptRecorder(this.writer, onStart);
  }

  get earlier(): TranscriptRecords {
    return this.#earlier;
  }

  read(): TranscriptRecords {
    return readTranscript(this.#path);
  }

  close(): void {
    this.#file.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #append(lines: string): void {
    try {
      this.#file.append(Buffer.from(lines));
    } catch (cause) {
      throw new AdapterError("TRANSCRIPT_FAILED", { subject: "transcript", cause });
    }
  }
}

/** The records of a transcript. None if the file does not exist. */
export function readTranscript(path: string): TranscriptRecords {
  return readFile(path).records;
}

/** The records of a file, and the size of its complete lines. */
function readFile(path: string): { records: TranscriptRecords; sizeBytes: number } {
  const records = new TranscriptRecords();
  const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
  const sizeBytes = bytes.lastIndexOf("\n") + 1;
  if (sizeBytes > 0) records.add(bytes.toString("utf8", 0, sizeBytes - 1).split("\n"));
  return { records, sizeBytes };
}

/**
 * Opens a file for the `transcript` option of `evaluate`, or continues it. It then contains the whole conversation of
 * these runs: see "What a transcript contains" in the guide. Close it after the last run.
 */
export function openTranscript(
  path: string,
  options: OpenTranscriptOptions = {},
): RunTranscript & Disposable & { close(): void } {
  if (typeof path !== "string" || path === "") throw invalid("openTranscript", "pass a path.");
  requireOptions("openTranscript", options, ["redact", "fsync"]);
  return new TranscriptFile(path, options);
}
