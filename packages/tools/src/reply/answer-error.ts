import { type FilesystemErrorCode, isFilesystemError, isSnapshotError } from "@wink/filesystem";
import { fail, type ToolFailure } from "@wink/prompt";
import { quote } from "./quote.js";

/** Returns the name of a tool in its section, with the prefix, for use in hints. */
export type NameTool = (name: string) => string;

/**
 * Turns an error into an answer for the model.
 *
 * Messages of filesystem and snapshot errors are safe for a model. The text of any other error is hidden, because it
 * can contain host paths or secrets.
 */
export function answerError(error: unknown, nameTool: NameTool): ToolFailure {
  if (isFilesystemError(error)) {
    const { code, path, operation, message } = error;
    const hint = HINTS[code]?.(nameTool);
    // The filesystem's own message names a method that a model cannot call.
    if (code === "EILSEQ") return fail(`${quote(path)} is not UTF-8 text.`, { hint });
    return fail(`${reasonOf(message, `, ${operation} '${path}'`)}: ${quote(path)}.`, { hint });
  }
  if (isSnapshotError(error)) return fail(`${reasonOf(error.message)}.`);
  return fail(
    "The call failed for a reason that lies outside the workspace. Nothing is known to have changed.",
  );
}

const HINTS: Partial<Record<FilesystemErrorCode, (name: NameTool) => string>> = {
  ENOENT: (name) => `Use ${name("ls")} or ${name("glob")} to see what is there.`,
  EISDIR: (name) => `Use ${name("ls")} to look into a directory.`,
  ENOTDIR: () =>
    "A file has nothing below it; leave out what follows its name, or the slash at its end.",
  EROFS: () => "Files here can be read and searched, but not changed.",
  EILSEQ: (name) =>
    `Only text can be shown; ${name("ls")}, ${name("move")}, ${name("copy")} and ${name("rm")} work on any file.`,
  ESTALE: (name) => `Read it again with ${name("read_file")} and repeat the change.`,
  EBADF: () => "This call has ended; make a new one.",
};

/** Turns `EISDIR: path is a directory, read 'a'` into `Path is a directory`. */
function reasonOf(message: string, end = ""): string {
  const start = message.indexOf(": ") + 2;
  const reason = message.slice(
    start,
    message.endsWith(end) ? message.length - end.length : undefined,
  );
  return reason.charAt(0).toUpperCase() + reason.slice(1);
}
