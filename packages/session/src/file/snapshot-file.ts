import { readFile } from "node:fs/promises";
import { saveFile } from "@wink/filesystem/host";
import { SessionError } from "../define/session-error.js";
import type { Session } from "../session/session.js";
import { SessionSnapshot } from "../snapshot/session-snapshot.js";

/**
 * Writes a session's state to `path`. A reader gets the old or the new file at any moment, even if the process is
 * killed during the write.
 */
export async function saveSnapshot(path: string, state: Session | SessionSnapshot): Promise<void> {
  saveFile(path, JSON.stringify(state));
}

/** Reads a file of {@link saveSnapshot}, for `Session.fromSnapshot` or `session.restore`. */
export async function loadSnapshot(path: string): Promise<SessionSnapshot> {
  const bytes = await readFile(path);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    const reason = "it is not UTF-8 text";
    throw new SessionError("SNAPSHOT_INVALID", "snapshot", reason, { cause });
  }
  return SessionSnapshot.parse(text);
}
