import { requireObject } from "../define/check-argument.js";
import type { Session } from "./session.js";

/** Iterates over `session` and all its descendants, each parent before its children. */
export function* iterSessions(session: Session): Generator<Session, void> {
  requireObject(session?.children, "iterSessions", "Pass a Session.");
  const waiting: Session[] = [session];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    yield next;
    waiting.push(...next.children.toReversed());
  }
}
