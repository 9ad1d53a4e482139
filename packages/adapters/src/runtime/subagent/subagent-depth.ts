import type { Session } from "@wink/session";
import { behind } from "../transaction/call-scope.js";

const depths = new WeakMap<object, number>();

/** How many subagents a session is nested in. 0 for a run that was not started by a tool. */
export function depthOf(session: Session): number {
  for (let each: Session | undefined = session; each; each = each.parent) {
    const depth = depths.get(behind(each));
    if (depth !== undefined) return depth;
  }
  return 0;
}

export function markDepth(session: Session, depth: number): void {
  depths.set(session, depth);
}
