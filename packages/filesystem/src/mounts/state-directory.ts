import { lstatSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { FilesystemError } from "../filesystem-error.js";

/** Where journals are kept, made when missing. Refused unless it is the user's own and nobody else's to look into. */
export function openStateDirectory(given: string | undefined): string {
  const directory = pathOf(given);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw refused("the state directory cannot be made", error);
  }
  return findStateDirectory(given) ?? directory;
}

/** The same for a mere look: `undefined` when there is none, and so no journal either. */
export function findStateDirectory(given: string | undefined): string | undefined {
  const directory = pathOf(given);
  const stat = lstatSync(directory, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  if (stat.isDirectory() && stat.uid === userId() && (stat.mode & 0o077) === 0) return directory;
  throw refused(
    "the state directory is not private to this user; set stateDirectory to one that is",
  );
}

function pathOf(given: string | undefined): string {
  return given === undefined ? join(tmpdir(), `wink-apply-${userId()}`) : resolve(given);
}

function userId(): number {
  return process.geteuid?.() ?? 0;
}

function refused(reason: string, cause?: unknown): FilesystemError {
  return new FilesystemError("EACCES", { operation: "apply", path: ".", reason, cause });
}
