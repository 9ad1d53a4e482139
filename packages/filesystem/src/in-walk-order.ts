import { compareBytes } from "./byte-order.js";
import type { NodeKind } from "./filesystem.js";

interface Child {
  readonly name: string;
  readonly kind: NodeKind;
}

/**
 * The children of a directory in the order in which a walk comes to them.
 *
 * A directory counts as `name/`, so that files come in the byte order of their
 * whole paths: `a-b` stands before `a/x`.
 */
export function inWalkOrder<T extends Child>(children: readonly T[]): readonly T[] {
  for (let index = 1; index < children.length; index++) {
    // Both are within the array.
    if (compareInWalk(children[index - 1] as T, children[index] as T) > 0)
      return [...children].sort(compareInWalk);
  }
  return children;
}

function compareInWalk(a: Child, b: Child): number {
  if (a.kind !== "directory" && b.kind !== "directory") return compareBytes(a.name, b.name);
  return compareBytes(walkName(a), walkName(b));
}

function walkName({ name, kind }: Child): string {
  return kind === "directory" ? `${name}/` : name;
}
