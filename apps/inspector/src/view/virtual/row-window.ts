/** Where the rows of a long list are. */
export interface RowHeights {
  readonly total: number;
  /** The distance of a row from the top. */
  top(index: number): number;
  /** The row at a distance from the top. */
  at(offset: number): number;
}

/** Computes the positions of rows. `height` is the height of every row, or a function of its index. */
export function rowHeights(
  count: number,
  height: number | ((index: number) => number),
): RowHeights {
  if (typeof height === "number")
    return {
      total: count * height,
      top: (index) => index * height,
      at: (offset) => clamp(Math.floor(offset / height), count),
    };
  const tops = new Float64Array(count + 1);
  for (let index = 0; index < count; index++) tops[index + 1] = (tops[index] ?? 0) + height(index);
  return {
    total: tops[count] ?? 0,
    top: (index) => tops[index] ?? 0,
    at: (offset) => clamp(lastNotAbove(tops, offset), count),
  };
}

function clamp(index: number, count: number): number {
  return Math.max(0, Math.min(index, count - 1));
}

/** The last position whose value is not above a limit, by bisection. */
function lastNotAbove(values: Float64Array, limit: number): number {
  let [low, high] = [0, values.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((values[middle] ?? 0) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The visible part of a list. Pixels. */
export interface Viewport {
  readonly offset: number;
  readonly height: number;
}

/** Rows that are drawn above and below the visible ones, so that a short scroll shows no gap. */
const OVERSCAN = 8;

/** The rows to draw, `to` exclusive. */
export function rowWindow(
  count: number,
  heights: RowHeights,
  { offset, height }: Viewport,
): { readonly from: number; readonly to: number } {
  if (count === 0) return { from: 0, to: 0 };
  const from = Math.max(0, heights.at(offset) - OVERSCAN);
  const to = Math.min(count, heights.at(offset + height) + 1 + OVERSCAN);
  return { from, to };
}

/** The smallest scroll that makes a row visible. Returns the new offset. */
export function revealOffset(
  heights: RowHeights,
  index: number,
  { offset, height }: Viewport,
): number {
  const [top, bottom] = [heights.top(index), heights.top(index + 1)];
  if (top < offset) return top;
  return bottom > offset + height ? bottom - height : offset;
}
