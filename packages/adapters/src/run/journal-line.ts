import { AdapterError } from "../error/adapter-error.js";
import type { CallEntry } from "../runtime/transaction/call-journal.js";

/** A line of the journal. `id` identifies one call and is never reused. */
export type JournalLine =
  | ({ readonly kind: "begin"; readonly id: string } & CallEntry)
  | { readonly kind: "commit"; readonly id: string }
  | { readonly kind: "undone"; readonly id: string };

/** A call that is neither committed nor rolled back. */
export type OpenCall = CallEntry & { readonly id: string };

/** Deterministic, because the filesystem's own log searches for the exact text. */
export function encodeLine(line: JournalLine): string {
  return JSON.stringify(line);
}

/**
 * Returns the open calls in the order in which they began. Ignores an incomplete last line.
 * Throws `JOURNAL_INVALID`.
 */
export function openCalls(text: string): readonly OpenCall[] {
  const open = new Map<string, OpenCall>();
  for (const line of text.split("\n").slice(0, -1)) {
    const entry = decodeLine(line);
    if (entry.kind === "begin") open.set(entry.id, entry);
    else open.delete(entry.id);
  }
  return [...open.values()];
}

function decodeLine(line: string): JournalLine {
  let data: unknown;
  try {
    data = JSON.parse(line);
  } catch (cause) {
    throw invalidLine("is not JSON", cause);
  }
  if (isJournalLine(data)) return data;
  throw invalidLine("does not describe a call");
}

function invalidLine(problem: string, cause?: unknown): AdapterError {
  const reason = `a line ${problem}. Nothing was changed. Repair the file, or choose another directory`;
  return new AdapterError("JOURNAL_INVALID", { subject: "journal of the run", reason, cause });
}

function isJournalLine(data: unknown): data is JournalLine {
  if (typeof data !== "object" || data === null) return false;
  const { kind, id, toolCallId, tool, sequence }: Partial<Record<string, unknown>> = { ...data };
  if (typeof id !== "string") return false;
  if (kind === "commit" || kind === "undone") return true;
  const isCount = Number.isSafeInteger(sequence) && Number(sequence) >= 0;
  return kind === "begin" && typeof toolCallId === "string" && typeof tool === "string" && isCount;
}
