import { TranscriptRecords } from "./read-transcript.js";
import type { Redact } from "./transcript-parts.js";
import { type OnRunStarted, TranscriptRecorder } from "./transcript-recorder.js";
import { TranscriptWriter } from "./transcript-writer.js";

export interface TranscriptLinesOptions {
  readonly redact: Redact | undefined;
  readonly onStart: OnRunStarted;
  /** Stores complete lines, each with its newline, in one step. */
  readonly append: (lines: string) => void;
}

/** A transcript whose lines are stored elsewhere, such as in a store. */
export class TranscriptLines {
  readonly recorder: TranscriptRecorder;
  readonly writer: TranscriptWriter;
  /** What earlier processes wrote. */
  readonly earlier = new TranscriptRecords();
  readonly #lines: string[];

  constructor(lines: readonly string[], { redact, onStart, append }: TranscriptLinesOptions) {
    this.#lines = [...lines];
    this.earlier.add(lines);
    const target = {
      append: (text: string) => {
        append(text);
        this.#lines.push(...text.trimEnd().split("\n"));
      },
    };
    const known = this.earlier.partIds;
    this.writer = new TranscriptWriter(target, { known, isNew: lines.length === 0, redact });
    this.recorder = new TranscriptRecorder(this.writer, onStart);
  }

  /** Everything that is written, also by this process. */
  read(): TranscriptRecords {
    const records = new TranscriptRecords();
    records.add(this.#lines);
    return records;
  }

  close(): void {}
}
