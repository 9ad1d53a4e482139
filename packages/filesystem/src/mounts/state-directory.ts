import { lstatSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { FilesystemError } from "../filesystem-error.js";

/** Where journals are kept: made when missing, and refused unless it is the user's own and nobody else's to look into. */
export function openStateDirectory(given: string | undefined): string {
  const uid = process.geteuid?.() ?? 0;
  const directory = given === undefined ? join(tmpdir(), `wink-apply-${uid}`) : resolve(given);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const stat = lstatSync(directory);
    if (stat.isDirectory() && stat.uid === uid && (stat.mode & 0o077) === 0) return directory;
  } catch (error) {
    throw refused("the state directory cannot be made", error);
  }
  throw refused(
    "the state directory is not private to this user; set stateDirectory to one that is",
  );
}

function refused(reason: string, cause?: unknown): FilesystemError {
  return new FilesystemError("EACCES", { operation: "apply", path: ".", reason, cause });
}
