import { blameLines } from "./blame.js";
import { fieldsOf, listOf, numberOf, textOf } from "./run-facts.js";
import type { RunOverview } from "./run-overview.js";
import type { BlameRange, SeenRange } from "./run-views.js";

/** A version of a file with its text. */
export interface TextVersion {
  readonly sequence: number;
  readonly content: string;
  readonly text: string;
}

/** Which call wrote each line of the last version, as ranges. */
export async function blameRanges(
  overview: RunOverview,
  versions: readonly TextVersion[],
): Promise<readonly BlameRange[]> {
  const start = overview.states[0]?.sequence ?? 0;
  const ranges: { -readonly [Key in keyof BlameRange]: BlameRange[Key] }[] = [];
  const lines = await blameLines(versions);
  lines.forEach((written, index) => {
    const sequence = written <= start ? 0 : written;
    const last = ranges.at(-1);
    if (last?.sequence === sequence) last.to = index + 1;
    else {
      const call = overview.columns.call[sequence - overview.columns.from] ?? -1;
      const place = { from: index + 1, to: index + 1, sequence, child: null };
      ranges.push({ ...place, call: sequence === 0 || call < 0 ? null : call });
    }
  });
  return ranges;
}

/** One view of a file by the model, as an end event of a call reports it. */
export interface FileSight {
  readonly sequence: number;
  readonly path: string;
  readonly from: number;
  readonly to: number;
}

/** The views that an event reports. */
export function sightsOf(event: {
  readonly sequence: number;
  readonly type: string;
  readonly payload: unknown;
}): readonly FileSight[] {
  if (event.type !== "run.end-tool-call") return [];
  return listOf(fieldsOf(event.payload)["files"]).flatMap((file) => {
    const { path, how, lines } = fieldsOf(file);
    if (how !== "view") return [];
    const [offset, count] = listOf(lines).map(numberOf);
    if (offset == null || count == null || count === 0) return [];
    const place = { sequence: event.sequence, path: textOf(path) ?? "" };
    return [{ ...place, from: offset + 1, to: offset + count }];
  });
}

/** Marks views of a file whose content was the same then. */
export function seenRanges(
  overview: RunOverview,
  sights: readonly FileSight[],
  versions: readonly { readonly sequence: number; readonly content: string }[],
): readonly SeenRange[] {
  const contentAt = (sequence: number) =>
    versions.findLast((version) => version.sequence <= sequence)?.content ?? versions[0]?.content;
  const now = versions.at(-1)?.content;
  return sights.map(({ sequence, from, to }) => ({
    ...{ from, to, call: overview.columns.call[sequence - overview.columns.from] ?? -1 },
    isCurrent: contentAt(sequence) === now,
  }));
}
