import { MAX_DEPTH } from "./plain-data.js";

/** Whether two values are equal plain data. The order of keys does not matter. */
export function sameData(one: unknown, other: unknown): boolean {
  return same(one, other, 0);
}

function same(one: unknown, other: unknown, depth: number): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || !one || !other) return false;
  // No stored value is deeper. This also ends the comparison of circular values.
  if (depth > MAX_DEPTH) return false;
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
    return one.every((value, index) => same(value, other[index], depth + 1));
  }
  if (!isPlainObject(one) || !isPlainObject(other)) return false;
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  return keys.every((key) => Object.hasOwn(other, key) && same(one[key], other[key], depth + 1));
}

function isPlainObject(value: object): value is Readonly<Record<string, unknown>> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
