import { readFile } from "node:fs/promises";
import { saveFile } from "@wink/filesystem/host";
import { requirePath } from "../define/check-argument.js";
import { SessionError } from "../define/session-error.js";
import type { Session } from "../session/session.js";
import { SessionSnapshot } from "../snapshot/session-snapshot.js";

/**
 * Writes a session's state to `path`. A reader gets the old or the new file at any moment, even if the process is
 * killed during the write.
 */
export async function saveSnapshot(path: string, state: Session | SessionSnapshot): Promise<void> {
  requirePath("saveSnapshot", path);
  requireState(state);
  saveFile(path, JSON.stringify(state));
}

/** Reads a file of {@link saveSnapshot}, for `Session.fromSnapshot` or `session.restore`. */
export async function loadSnapshot(path: string): Promise<SessionSnapshot> {
  requirePath("loadSnapshot", path);
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new SessionError("SNAPSHOT_INVALID", "snapshot", "the file cannot be read", { cause });
  });
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    const reason = "it is not UTF-8 text";
    throw new SessionError("SNAPSHOT_INVALID", "snapshot", reason, { cause });
  }
  return SessionSnapshot.parse(text);
}

/** A session, its snapshot or the JSON of one. */
function requireState(state: unknown): void {
  if (typeof state === "object" && state !== null && "toJSON" in state) return;
  const reason = "expected a session or a snapshot. Pass session.snapshot()";
  throw new SessionError("ARGUMENT_INVALID", "saveSnapshot", reason);
}
