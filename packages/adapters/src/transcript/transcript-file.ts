import { existsSync, readFileSync } from "node:fs";
import { AppendFile } from "@wink/filesystem/host";
import type { RunTranscript } from "@wink/prompt";
import { AdapterError } from "../error/adapter-error.js";
import { invalid, requireOptions } from "../runtime/context/require-options.js";
import { TranscriptRecords } from "./read-transcript.js";
import type { Redact } from "./transcript-parts.js";
import type { TranscriptEntry } from "./transcript-record.js";
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
  readonly #writer: TranscriptWriter;
  readonly #file: AppendFile;
  /** What earlier processes wrote. */
  readonly #earlier = new TranscriptRecords();

  /** Continues an existing file. Removes a last line that a killed process left incomplete. */
  constructor(path: string, { redact, fsync = false, onStart }: TranscriptFileOptions = {}) {
    const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
    const sizeBytes = bytes.lastIndexOf("\n") + 1;
    const earlier = this.#earlier;
    if (sizeBytes > 0) earlier.add(bytes.toString("utf8", 0, sizeBytes - 1).split("\n"));
    this.#file = new AppendFile(path, { sizeBytes, fsync });
    const target = { append: (lines: string) => this.#append(lines) };
    const isNew = sizeBytes === 0;
    this.#writer = new TranscriptWriter(target, { known: earlier.partIds, isNew, redact });
    this.recorder = new TranscriptRecorder(this.#writer, onStart);
  }

  statusOf(toolCallId: string): string | undefined {
    return this.#lastOf(toolCallId, "outcome")?.status;
  }

  abort(toolCallId: string, tool: string, sequence: number): void {
    const { run = 0, turn = 0 } = this.#lastOf(toolCallId, "call") ?? {};
    const text = `The process ended before ${tool} was done. Nothing that it did in the workspace was kept.`;
    const message = { role: "tool", toolCallId, toolName: tool, text, success: false };
    this.#writer.write({
      ...{ kind: "outcome", run, turn, sequence, at: Date.now(), call: toolCallId },
      ...{ status: "aborted", rolledBack: true, message: this.#writer.part(message) },
    });
  }

  close(): void {
    this.#file.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #lastOf<Kind extends "call" | "outcome">(toolCallId: string, kind: Kind) {
    return this.#earlier.records.findLast(
      (record): record is TranscriptEntry & { readonly kind: Kind } =>
        record.kind === kind && "call" in record && record.call === toolCallId,
    );
  }

  #append(lines: string): void {
    try {
      this.#file.append(Buffer.from(lines));
    } catch (cause) {
      throw new AdapterError("TRANSCRIPT_FAILED", { subject: "transcript", cause });
    }
  }
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
