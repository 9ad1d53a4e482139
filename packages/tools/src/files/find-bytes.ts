/**
 * Where `needle` starts in `haystack`, in time that depends on their lengths alone
 * (Knuth, Morris and Pratt), whatever a hostile text repeats.
 *
 * With `overlapping` every place counts, `aa` being in `aaa` twice; without it the
 * search goes on behind each match, as a replacement does.
 */
export function findBytes(
  haystack: Uint8Array,
  needle: Uint8Array,
  { overlapping }: { readonly overlapping: boolean },
): readonly number[] {
  const [first] = needle;
  if (first === undefined) return [];
  const borders = bordersOf(needle);
  const found: number[] = [];
  let matched = 0;
  for (let index = 0; index < haystack.length; index++) {
    if (matched === 0) {
      // Far faster than looking at each byte here.
      index = haystack.indexOf(first, index);
      if (index < 0) break;
    }
    while (matched > 0 && haystack[index] !== needle[matched]) matched = borders[matched - 1] ?? 0;
    if (haystack[index] === needle[matched]) matched++;
    if (matched < needle.length) continue;
    found.push(index + 1 - needle.length);
    matched = overlapping ? (borders[matched - 1] ?? 0) : 0;
  }
  return found;
}

/** For each beginning of `needle`, the longest shorter beginning that also ends it. */
function bordersOf(needle: Uint8Array): Int32Array {
  const borders = new Int32Array(needle.length);
  let length = 0;
  for (let index = 1; index < needle.length; index++) {
    while (length > 0 && needle[index] !== needle[length]) length = borders[length - 1] ?? 0;
    if (needle[index] === needle[length]) length++;
    borders[index] = length;
  }
  return borders;
}
