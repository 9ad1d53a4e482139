import type { TranscriptEntry } from "@wink/adapters/run";
import type { RecordedEvent } from "@wink/session";
import type { RunKey } from "./run-overview.js";

/** What a run consists of. The overview is computed from it. */
export interface RunFacts {
  readonly key: RunKey;
  readonly place: string;
  /** `run.json`. */
  readonly header: Readonly<Record<string, unknown>> | null;
  readonly name: string;
  readonly events: readonly RecordedEvent[];
  readonly transcript: readonly TranscriptEntry[];
  /** The value of a part of the transcript. */
  part(id: string): unknown;
  /** The names of the subagents' runs: the number of the start event, with `-2` for the second subagent of a call. */
  readonly children: readonly string[];
  readonly hasFiles: boolean;
  readonly changedFiles: number | null;
}

/** The fields of a value, or no fields if it is not an object. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

export function numberOf(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}
