import type { LineChange } from "./unified-diff.js";

/** The changes that make `after` of `before`, by the longest common subsequence. For short texts. */
export function compareLines(
  before: readonly string[],
  after: readonly string[],
): readonly LineChange[] {
  const common = commonLengths(before, after);
  const changes: LineChange[] = [];
  let [old, now] = [0, 0];
  while (old < before.length || now < after.length) {
    if (old < before.length && before[old] === after[now]) {
      old++;
      now++;
      continue;
    }
    const [start, from] = [old, now];
    while (old < before.length || now < after.length) {
      if (old < before.length && now < after.length && before[old] === after[now]) break;
      const skipOld = common(old + 1, now);
      const skipNow = common(old, now + 1);
      if (now >= after.length || (old < before.length && skipOld >= skipNow)) old++;
      else now++;
    }
    changes.push({ start, end: old, lines: after.slice(from, now) });
  }
  return changes;
}

/** How many lines the rests from two places have in common at most. */
function commonLengths(before: readonly string[], after: readonly string[]) {
  const width = after.length + 1;
  const table = new Uint32Array((before.length + 1) * width);
  const at = (old: number, now: number) => table[old * width + now] ?? 0;
  for (let old = before.length - 1; old >= 0; old--)
    for (let now = after.length - 1; now >= 0; now--)
      table[old * width + now] =
        before[old] === after[now]
          ? at(old + 1, now + 1) + 1
          : Math.max(at(old + 1, now), at(old, now + 1));
  return (old: number, now: number) =>
    old > before.length || now > after.length ? 0 : at(old, now);
}
