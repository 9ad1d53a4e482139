import type { RecordedEvent } from "@wink/session";
import { describeEvent } from "#inspector/text";
import type { Colors } from "../terminal/print.js";
import { oneLine, oneLineWithPaths, pad } from "../terminal/terminal-text.js";

/** One line of a timeline. */
export interface TimelineEntry {
  /** The number for `--at`. */
  readonly sequence: number;
  readonly timestampMs: number;
  readonly type: string;
  readonly what: string;
  readonly detail: string;
  /** The paths in `detail`. */
  readonly paths: readonly string[];
  /** Why it was rolled back, or `null` if it was not. */
  readonly rolledBack: string | null;
}

/** Lists the events of a run for people. `all` includes events that repeat another line. */
export function timelineOf(
  events: readonly RecordedEvent[],
  all: boolean,
): readonly TimelineEntry[] {
  const ended = new Set(
    events
      .filter(({ type }) => type === "run.end-tool-call" || type === "run.invoke-tool")
      .map(({ payload }) => callOf(payload)),
  );
  return events.flatMap((event) => {
    const { what, detail, paths, isMinor } = describeEvent(event, (id) => ended.has(id));
    return isMinor && !all ? [] : [entryOf(event, { what, detail, paths })];
  });
}

export interface TimelineStyle {
  readonly colors: Colors;
  readonly columns: number;
}

/** One line per entry: its number, the seconds since the first entry, and what happened. */
export function renderTimeline(
  entries: readonly TimelineEntry[],
  { colors, columns }: TimelineStyle,
): string {
  const startMs = entries[0]?.timestampMs ?? 0;
  return entries
    .map(({ sequence, timestampMs, what, detail, paths, rolledBack }) => {
      const number = String(sequence).padStart(5);
      const seconds = `${((timestampMs - startMs) / 1000).toFixed(2)}s`.padStart(9);
      const name = pad(oneLine(what, 20), 20);
      const text = oneLineWithPaths(detail, paths, Math.max(20, columns - 39))
        .replace(/^✓/, colors.green("✓"))
        .replace(/^✗/, colors.red("✗"));
      const line = `${colors.dim(`${number}${seconds}`)}  ${colors.bold(name)} ${text}`;
      return rolledBack === null ? line : `${line} ${colors.yellow("↩")}`;
    })
    .join("\n");
}

function entryOf(
  { sequence, timestampMs, type, rolledBack }: RecordedEvent,
  description: Pick<TimelineEntry, "what" | "detail" | "paths">,
): TimelineEntry {
  return { sequence, timestampMs, type, ...description, rolledBack: rolledBack?.reason ?? null };
}

function callOf(payload: unknown): unknown {
  return typeof payload === "object" && payload !== null && "toolCallId" in payload
    ? payload.toolCallId
    : undefined;
}
