import { Session } from "@wink/session";
import { describeWrong } from "../error/check-options.js";
import { PromptError } from "../error/prompt-error.js";

/** An empty session, used if the caller gives none. */
export function blankSession(): Session {
  return new Session({ id: "blank" });
}

/** Refuses a value that is not a session. Duck typing, because it may come from another copy of `@wink/session`. */
export function requireSession(session: unknown, subject: string): asserts session is Session {
  const isSession =
    typeof session === "object" &&
    session !== null &&
    "dispatch" in session &&
    "install" in session;
  if (!isSession)
    throw new PromptError(
      "ARGUMENT_INVALID",
      subject,
      `session must be a Session, got ${describeWrong(session)}. Pass { session: new Session() }`,
    );
}
