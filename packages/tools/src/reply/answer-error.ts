import { type FilesystemErrorCode, isFilesystemError, isSnapshotError } from "@wink/filesystem";
import { fail, type ToolFailure } from "@wink/prompt";
import { quote } from "./quote.js";

/** How the tools of a section are called there, so that a hint can name them. */
export type NameTool = (name: string) => string;

/**
 * The answer to what went wrong in a call.
 *
 * The words of filesystem and snapshot errors are made for a model. Of any other
 * error nothing is said: its text can hold a path of the host, or worse.
 */
export function answerError(error: unknown, nameTool: NameTool): ToolFailure {
  if (isFilesystemError(error)) {
    const { code, path, operation, message } = error;
    const hint = HINTS[code]?.(nameTool);
    // The filesystem's own words name a method that a model cannot call.
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

/** `EISDIR: path is a directory, read 'a'` without its code and its end, from a capital letter. */
function reasonOf(message: string, end = ""): string {
  const start = message.indexOf(": ") + 2;
  const reason = message.slice(
    start,
    message.endsWith(end) ? message.length - end.length : undefined,
  );
  return reason.charAt(0).toUpperCase() + reason.slice(1);
}
