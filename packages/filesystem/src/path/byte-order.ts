import { requireText } from "./require-text.js";

/**
 * Orders strings by their UTF-8 bytes.
 *
 * JavaScript compares UTF-16 code units. The order differs only between surrogates and characters from U+E000 on, but
 * then it would differ from backends that sort by bytes.
 */
export function compareBytes(a: string, b: string): number {
  requireText("compareBytes", a);
  requireText("compareBytes", b);
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** Moves surrogates, which encode the highest code points, above all other code units. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
