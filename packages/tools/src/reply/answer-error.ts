import { type FilesystemError, isFilesystemError, isSnapshotError } from "@wink/filesystem";
import { fail, type ToolFailure } from "@wink/prompt";
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
    const { code, path, reason } = error;
    // The error's advice names methods that a model cannot call.
    return fail(`${quote(path)}: ${asSentence(reason)}`, { hint: HINTS[code]?.(nameTool) });
  }
  if (isSnapshotError(error)) return fail(`${capital(error.subject)}: ${asSentence(error.reason)}`);
  // Without `action`, which is for an operator of the host.
  if (isToolsError(error)) return fail(`${capital(error.subject)}: ${error.reason}.`);
  return fail(
    "The call failed because of an error outside of the workspace. It is unknown whether files changed.",
  );
}

const HINTS: Partial<Record<FilesystemError["code"], (name: NameTool) => string>> = {
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

function asSentence(reason: string): string {
  return /[.?!]$/.test(reason) ? reason : `${reason}.`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
