import { type FileHandle, mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { SessionError } from "../define/session-error.js";
import type { Session } from "../session/session.js";
import { SessionSnapshot } from "../snapshot/session-snapshot.js";
import { isRunning } from "./process-identity.js";

/**
 * Writes a session's state to `path`. A reader gets the old or the new file at any moment, even if the process is
 * killed during the write.
 */
export async function saveSnapshot(path: string, state: Session | SessionSnapshot): Promise<void> {
  const text = JSON.stringify(state);
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  await removeLeftovers(path);
  const temporary = join(folder, `${temporaryPrefix(path)}${process.pid}-${crypto.randomUUID()}`);
  try {
    await writeDurably(temporary, text);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

/** Reads a file of {@link saveSnapshot}, for `Session.fromSnapshot` or `session.restore`. */
export async function loadSnapshot(path: string): Promise<SessionSnapshot> {
  const bytes = await readFile(path);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    const reason = "it is not UTF-8 text";
    throw new SessionError("snapshot_invalid", { subject: "snapshot", reason, cause });
  }
  return SessionSnapshot.parse(text);
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Flushes the rename itself. Systems that cannot open a folder do not need it. */
async function syncFolder(folder: string): Promise<void> {
  let handle: FileHandle;
  try {
    handle = await open(folder, "r");
  } catch {
    return;
  }
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Deletes temporary files of killed processes. Those of running processes stay. */
async function removeLeftovers(path: string): Promise<void> {
  const prefix = temporaryPrefix(path);
  for (const name of await readdir(dirname(path))) {
    const pid = name.startsWith(prefix)
      ? Number.parseInt(name.slice(prefix.length), 10)
      : Number.NaN;
    if (!Number.isNaN(pid) && !isRunning(pid)) await rm(join(dirname(path), name), { force: true });
  }
}

function temporaryPrefix(path: string): string {
  return `.${basename(path)}.wink-tmp-`;
}
