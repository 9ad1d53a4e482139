import type { NodeKind } from "../protocol/filesystem.js";
import { compareBytes } from "./byte-order.js";

interface Child {
  readonly name: string;
  readonly kind: NodeKind;
}

/**
 * The children of a directory in walk order.
 *
 * A directory is sorted as `name/`, so that files come in the byte order of their full paths: `a-b` comes before `a/x`.
 */
export function inWalkOrder<T extends Child>(children: readonly T[]): readonly T[] {
  const compare = children.some(({ name }) => FROM_SURROGATES_ON.test(name))
    ? compareInWalk
    : compareUnits;
  for (let index = 1; index < children.length; index++) {
    // Both are within the array.
    if (compare(children[index - 1] as T, children[index] as T) > 0)
      return [...children].sort(compare);
  }
  return children;
}

/**
 * Without these characters the order of code units equals the order of bytes, and strings compare many times faster.
 */
const FROM_SURROGATES_ON = /[\ud800-\uffff]/;

function compareUnits(a: Child, b: Child): number {
  const [left, right] = [walkName(a), walkName(b)];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function compareInWalk(a: Child, b: Child): number {
  if (a.kind !== "directory" && b.kind !== "directory") return compareBytes(a.name, b.name);
  return compareBytes(walkName(a), walkName(b));
}

function walkName({ name, kind }: Child): string {
  return kind === "directory" ? `${name}/` : name;
}
