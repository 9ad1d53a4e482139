import { type FilesystemErrorCode, isFilesystemError, isSnapshotError } from "@wink/filesystem";
import { fail, type ToolContext, type ToolFailure } from "@wink/prompt";
import { isToolsError } from "../error/tools-error.js";
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
    const reason = reasonOf(message, `, ${operation} '${path}'`);
    // After the limit, an EFBIG message names a method that a model cannot call.
    const shown = code === "EFBIG" ? reason.replace(/[;.] .*$/s, "") : reason;
    return fail(`${shown}: ${quote(path)}.`, { hint });
  }
  if (isSnapshotError(error)) return fail(`${reasonOf(error.message)}.`);
  // Without `action`, which is for an operator of the host.
  if (isToolsError(error)) return fail(`${capital(error.subject)}: ${error.reason}.`);
  return fail(
    "The call failed because of an error outside of the workspace. It is unknown whether files changed.",
  );
}

const HINTS: Partial<Record<FilesystemErrorCode, (name: NameTool) => string>> = {
  ENOENT: (name) => `Use ${name("ls")} or ${name("glob")} to list the files.`,
  EISDIR: (name) => `Use ${name("ls")} to list a directory.`,
  ENOTDIR: () =>
    "A file cannot contain other files. Remove the part of the path after the file name, or the slash at the end.",
  EROFS: () => "These files can be read and searched, but not changed.",
  EILSEQ: (name) =>
    `Only text files can be read; ${name("ls")}, ${name("move")}, ${name("copy")} and ${name("rm")} work on any file.`,
  ESTALE: (name) => `Read it again with ${name("read_file")} and repeat the change.`,
  EBADF: () => "This call has already ended. Make a new call.",
};

/** Answers a search that was refused because of its pattern, which the error of the filesystem does not name. */
export async function answerPattern(
  error: unknown,
  pattern: string,
  { filesystem, signal }: Pick<ToolContext, "filesystem" | "signal">,
  path: string,
): Promise<ToolFailure> {
  // A path that is invalid makes `exists` reject with its own `EINVAL`.
  if (!isFilesystemError(error, "EINVAL") || !(await filesystem.exists(path, { signal })))
    throw error;
  const reason = reasonOf(error.message, `, ${error.operation} '${error.path}'`);
  return fail(`${quote(pattern)}: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}.`);
}

/** Turns `EISDIR: path is a directory, read 'a'` into `Path is a directory`. */
function reasonOf(message: string, end = ""): string {
  const start = message.indexOf(": ") + 2;
  const reason = message.slice(
    start,
    message.endsWith(end) ? message.length - end.length : undefined,
  );
  return capital(reason);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
