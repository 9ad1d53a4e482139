import { Session } from "@wink/session";

/** An empty session, used if the caller gives none. */
export function blankSession(): Session {
  return new Session({ id: "blank" });
}
