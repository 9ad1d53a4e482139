import type { CallRow, RunOverview } from "./run-overview.js";

/** A row of a comparison: the same call in both runs, or a call of one of them. Positions in `calls`. */
export interface ComparedCall {
  /** `same`: equal input and status. `input`: another input. `outcome`: equal input, another status. */
  readonly type: "same" | "input" | "outcome" | "left" | "right";
  readonly left: number | null;
  readonly right: number | null;
}

export interface Comparison {
  readonly rows: readonly ComparedCall[];
  /** The first turn whose request differs: its position in each run. `null` if all requests are equal. */
  readonly firstRequest: { readonly left: number | null; readonly right: number | null } | null;
}

/** Aligns the calls of two runs: equal calls first, then calls of the same tool between them. */
export function compareRuns(left: RunOverview, right: RunOverview): Comparison {
  return {
    rows: alignCalls(left.calls, right.calls),
    firstRequest: firstDifferentRequest(left, right),
  };
}

function firstDifferentRequest(left: RunOverview, right: RunOverview): Comparison["firstRequest"] {
  const length = Math.max(left.turns.length, right.turns.length);
  for (let at = 0; at < length; at++) {
    const [a, b] = [left.turns[at], right.turns[at]];
    if (a === undefined || b === undefined)
      return { left: a === undefined ? null : at, right: b === undefined ? null : at };
    if (a.requestKey !== b.requestKey) return { left: at, right: at };
  }
  return null;
}

function alignCalls(left: readonly CallRow[], right: readonly CallRow[]): readonly ComparedCall[] {
  const rows: ComparedCall[] = [];
  let [l, r] = [0, 0];
  const flush = (leftEnd: number, rightEnd: number): void => {
    const tools = longestCommon(
      left.slice(l, leftEnd).map(({ tool }) => tool),
      right.slice(r, rightEnd).map(({ tool }) => tool),
    );
    let [a, b] = [l, r];
    for (const [leftAt, rightAt] of [...tools, [leftEnd - l, rightEnd - r] as const]) {
      for (; a < l + leftAt; a++) rows.push({ type: "left", left: a, right: null });
      for (; b < r + rightAt; b++) rows.push({ type: "right", left: null, right: b });
      if (a < leftEnd && b < rightEnd) rows.push({ type: "input", left: a++, right: b++ });
    }
  };
  const keys = (calls: readonly CallRow[]) => calls.map(({ inputKey }) => inputKey);
  for (const [a, b] of longestCommon(keys(left), keys(right))) {
    flush(a, b);
    const isSame = left[a]?.status === right[b]?.status;
    rows.push({ type: isSame ? "same" : "outcome", left: a, right: b });
    [l, r] = [a + 1, b + 1];
  }
  flush(left.length, right.length);
  return rows;
}

/** Above this product of lengths only equal beginnings and ends are aligned. */
const MAX_CELLS = 4_000_000;

type Pairs = readonly (readonly [number, number])[];

/** The positions of a longest common subsequence. Comparing `b` with `a` gives the same pairs as `a` with `b`. */
function longestCommon(a: readonly string[], b: readonly string[]): Pairs {
  if (a.join("\0") <= b.join("\0")) return alignedPairs(a, b);
  return alignedPairs(b, a).map(([right, left]) => [left, right] as const);
}

function alignedPairs(a: readonly string[], b: readonly string[]): Pairs {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (
    end < a.length - start &&
    end < b.length - start &&
    a[a.length - 1 - end] === b[b.length - 1 - end]
  )
    end++;
  const [rows, columns] = [a.length - start - end, b.length - start - end];
  const pairs: (readonly [number, number])[] = [];
  for (let at = 0; at < start; at++) pairs.push([at, at]);
  if (rows * columns > 0 && rows * columns <= MAX_CELLS) {
    const width = columns + 1;
    const lengths = new Uint16Array((rows + 1) * width);
    for (let i = rows - 1; i >= 0; i--)
      for (let j = columns - 1; j >= 0; j--)
        lengths[i * width + j] =
          a[start + i] === b[start + j]
            ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1
            : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0);
    let [i, j] = [0, 0];
    while (i < rows && j < columns) {
      if (a[start + i] === b[start + j]) pairs.push([start + i++, start + j++]);
      else if ((lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0)) i++;
      else j++;
    }
  }
  for (let at = end; at > 0; at--) pairs.push([a.length - at, b.length - at]);
  return pairs;
}
