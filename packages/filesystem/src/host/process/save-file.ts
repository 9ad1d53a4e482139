import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describeKind } from "@wink/store/internal";
import { TEMPORARY_PREFIX } from "../../path/temporary-prefix.js";
import { invalidArgument } from "../../protocol/filesystem-error.js";
import { requireHostPath } from "./check-arguments.js";
import { findProcess } from "./process-identity.js";
import { makeDirectories, removeIfThere, replaceFile, SHARED_DIRECTORY } from "./store-io.js";
import { temporaryName } from "./temporary-name.js";

/**
 * Replaces a file outside of every workspace, and creates missing directories. A reader gets the old or the new
 * content, also after a crash or a power failure. Temporary files that killed processes left are removed.
 *
 * @param mode the permission bits, from which the umask removes some
 */
export function saveFile(path: string, content: string | Uint8Array, mode = 0o600): void {
  requireHostPath(path, "saveFile");
  if (typeof content !== "string" && !(content instanceof Uint8Array))
    throw invalidArgument(
      "saveFile",
      `the content must be a string or a Uint8Array, got ${describeKind(content)}`,
    );
  const directory = dirname(path);
  const prefix = `.${basename(path)}`;
  makeDirectories(directory, SHARED_DIRECTORY);
  for (const name of readdirSync(directory))
    if (isLeftover(name, prefix + TEMPORARY_PREFIX)) removeIfThere(join(directory, name));
  const temporary = join(directory, prefix + temporaryName());
  replaceFile(path, [Buffer.from(content)], { fsync: true, mode, temporary });
}

function isLeftover(name: string, prefix: string): boolean {
  return name.startsWith(prefix) && findProcess(name.slice(prefix.length))?.state === "dead";
}
