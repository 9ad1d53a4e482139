/**
 * Orders strings as their UTF-8 bytes are ordered.
 *
 * JavaScript compares UTF-16 code units, which differs only where a surrogate
 * meets a character from U+E000 on; backends that sort on their own side would
 * then disagree with us.
 */
export function compareBytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** Moves surrogates, which stand for the highest code points, above all other code units. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
