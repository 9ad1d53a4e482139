import type { Session } from "@wink/session";

const depths = new WeakMap<Session, number>();

/** How many subagents a session lies in; 0 for the session of a run that nobody started from a tool. */
export function depthOf(session: Session): number {
  for (let each: Session | undefined = session; each; each = each.parent) {
    const depth = depths.get(each);
    if (depth !== undefined) return depth;
  }
  return 0;
}

export function markDepth(session: Session, depth: number): void {
  depths.set(session, depth);
}
