/** Code points as sorted ranges that neither touch nor overlap; both ends are included. */
export type CharacterSet = readonly (readonly [number, number])[];

const MAX_CODE_POINT = 0x10ffff;

export function union(ranges: readonly (readonly [number, number])[]): CharacterSet {
  const sorted = [...ranges].sort(([one], [other]) => one - other);
  const merged: [number, number][] = [];
  for (const [first, last] of sorted) {
    const before = merged.at(-1);
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else merged.push([first, last]);
  }
  return merged;
}

export function complement(set: CharacterSet): CharacterSet {
  const gaps: [number, number][] = [];
  let from = 0;
  for (const [first, last] of set) {
    if (first > from) gaps.push([from, first - 1]);
    from = last + 1;
  }
  if (from <= MAX_CODE_POINT) gaps.push([from, MAX_CODE_POINT]);
  return gaps;
}

export function includes(set: CharacterSet, code: number): boolean {
  let low = 0;
  let high = set.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const range = set[middle];
    if (range === undefined || code < range[0]) high = middle;
    else if (code > range[1]) low = middle + 1;
    else return true;
  }
  return false;
}
