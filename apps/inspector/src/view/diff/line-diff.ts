import { diffLines } from "diff";

/** One row of a diff. */
export type DiffRow =
  | {
      readonly kind: "same" | "added" | "removed";
      /** Line numbers from 1 in the text before and after. */
      readonly before?: number;
      readonly after?: number;
      readonly text: string;
    }
  | { readonly kind: "gap"; readonly lines: number; readonly index: number };

export interface LineDiff {
  readonly rows: readonly DiffRow[];
  readonly added: number;
  readonly removed: number;
  /** The texts are too different to compare in time, so all lines are shown as replaced. */
  readonly whole: boolean;
}

const CONTEXT_LINES = 3;
const TIMEOUT_MS = 500;

/** The differences of two texts, with a few unchanged lines around each. `open` lists gaps to show in full. */
export function lineDiff(
  before: string,
  after: string,
  open: ReadonlySet<number> = new Set(),
): LineDiff {
  const parts = diffLines(before, after, { timeout: TIMEOUT_MS });
  const changes = parts ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ];
  const rows: DiffRow[] = [];
  const lines = { before: 0, after: 0, added: 0, removed: 0 };
  for (const { value, added, removed } of changes)
    for (const text of linesOf(value)) {
      if (!added) lines.before++;
      if (!removed) lines.after++;
      if (added) rows.push({ kind: "added", after: lines.after, text });
      else if (removed) rows.push({ kind: "removed", before: lines.before, text });
      else rows.push({ kind: "same", before: lines.before, after: lines.after, text });
      if (added) lines.added++;
      if (removed) lines.removed++;
    }
  const { added, removed } = lines;
  return { rows: hideUnchanged(rows, open), added, removed, whole: parts === undefined };
}

/** The lines of a text. A last line without a line end is a line too. */
export function linesOf(text: string): readonly string[] {
  if (text === "") return [];
  return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}

function hideUnchanged(rows: readonly DiffRow[], open: ReadonlySet<number>): readonly DiffRow[] {
  const shown: DiffRow[] = [];
  let start = 0;
  while (start < rows.length) {
    if (rows[start]?.kind !== "same") {
      shown.push(...rows.slice(start, ++start));
      continue;
    }
    let end = start;
    while (rows[end]?.kind === "same") end++;
    const head = start === 0 ? 0 : CONTEXT_LINES;
    const tail = end === rows.length ? 0 : CONTEXT_LINES;
    const hidden = end - start - head - tail;
    // A gap row is only useful if it saves more than one line.
    if (hidden < 2 || open.has(start)) shown.push(...rows.slice(start, end));
    else {
      shown.push(...rows.slice(start, start + head));
      shown.push({ kind: "gap", lines: hidden, index: start });
      shown.push(...rows.slice(end - tail, end));
    }
    start = end;
  }
  return shown;
}
