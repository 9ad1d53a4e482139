import { Session } from "@wink/session";

/** A session in which nothing has happened, for when none is given. */
export function blankSession(): Session {
  return new Session({ id: "blank" });
}
