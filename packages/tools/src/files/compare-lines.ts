import type { LineChange } from "./unified-diff.js";

/** Returns the changes from `before` to `after` (longest common subsequence). Only for a few hundred lines: time and memory are O(n × m). */
export function compareLines(
  before: readonly string[],
  after: readonly string[],
): readonly LineChange[] {
  // Replace lines by numbers, so that long lines are compared once and not in every cell of the table.
  const ids = new Map<string, number>();
  const idOf = (line: string) => {
    const id = ids.get(line) ?? ids.size;
    ids.set(line, id);
    return id;
  };
  const olds = before.map(idOf);
  const news = after.map(idOf);
  const common = commonLengths(olds, news);
  const changes: LineChange[] = [];
  let [old, now] = [0, 0];
  while (old < olds.length || now < news.length) {
    if (old < olds.length && olds[old] === news[now]) {
      old++;
      now++;
      continue;
    }
    const [start, from] = [old, now];
    while (old < olds.length || now < news.length) {
      if (old < olds.length && now < news.length && olds[old] === news[now]) break;
      const skipOld = common(old + 1, now);
      const skipNow = common(old, now + 1);
      if (now >= news.length || (old < olds.length && skipOld >= skipNow)) old++;
      else now++;
    }
    changes.push({ start, end: old, lines: after.slice(from, now) });
  }
  return changes;
}

/** The length of the longest common subsequence of the lines from `old` and from `now` on. */
function commonLengths(before: readonly number[], after: readonly number[]) {
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
