import {
  type Filesystem,
  FilesystemError,
  type FilesystemTransaction,
  isFilesystemError,
  isSnapshotable,
} from "@wink/filesystem";
import type { ToolContext } from "@wink/prompt";
import { WriteFile } from "../events/file-events.js";
import { authorOf } from "../files/file-tool-settings.js";
import { answerError } from "../reply/answer-error.js";
import type { HostAnswer, PythonRequest } from "./python-engine.js";

interface Written {
  readonly path: string;
  readonly content: string;
  readonly mode: "create" | "overwrite" | "append";
  readonly sizeBytes: number;
  readonly revision: string;
}

/**
 * The files of one program. Its writes are committed if it succeeds and otherwise rolled back, if the filesystem
 * supports transactions.
 */
export class PythonFiles {
  readonly written: Written[] = [];
  readonly #context: ToolContext;
  readonly #maxBytes: number;
  #transaction: FilesystemTransaction | undefined;

  constructor(context: ToolContext, maxBytes: number) {
    this.#context = context;
    this.#maxBytes = maxBytes;
  }

  /** The functions that the program can call. */
  get functions(): PythonRequest["functions"] {
    return {
      read_text: (args) => answer(async () => await this.read(textArgument(args, 0, "path"))),
      write_text: (args) =>
        answer(async () => {
          const content = textArgument(args, 1, "content");
          await this.write(textArgument(args, 0, "path"), content, "overwrite");
          return content.length;
        }),
    };
  }

  async read(path: string): Promise<string> {
    const { filesystem, signal } = this.#context;
    const { sizeBytes } = await filesystem.stat(path, { signal });
    if (sizeBytes > this.#maxBytes) throw tooLarge("read", path, sizeBytes, this.#maxBytes);
    const { content } = await filesystem.read(path, { limit: sizeBytes + 1, signal });
    return content;
  }

  async write(path: string, content: string, mode: Written["mode"]): Promise<void> {
    const { filesystem, signal } = this.#context;
    if (content.length > this.#maxBytes)
      throw tooLarge("write", path, content.length, this.#maxBytes);
    this.#transaction ??= await begin(filesystem);
    const { path: where, revision } = await filesystem.write(path, content, { mode, signal });
    const { sizeBytes } = await filesystem.stat(where, { signal });
    this.written.push({ path: where, content, mode, sizeBytes, revision });
  }

  /** Commits the writes and records them in the session. */
  async commit(workspace: string): Promise<void> {
    await this.#transaction?.commit();
    const author = authorOf(workspace, "evaluate_python", this.#context);
    for (const file of this.written)
      this.#context.session.dispatch(WriteFile({ ...author, ...file }));
  }

  /** Returns whether all writes were rolled back. */
  async rollback(): Promise<boolean> {
    await this.#transaction?.rollback();
    return this.written.length === 0 || this.#transaction !== undefined;
  }
}

function tooLarge(operation: string, path: string, size: number, most: number): FilesystemError {
  const reason = `${size.toLocaleString("en")} bytes are too many: a program reads and writes at most ${most.toLocaleString("en")}`;
  return new FilesystemError("EFBIG", { operation, path, reason });
}

async function begin(filesystem: Filesystem): Promise<FilesystemTransaction | undefined> {
  // Without a transaction, the refused write names the file.
  return isSnapshotable(filesystem) && !filesystem.readOnly ? await filesystem.begin() : undefined;
}

const EXCEPTIONS: Partial<Record<FilesystemError["code"], string>> = {
  ENOENT: "FileNotFoundError",
  EEXIST: "FileExistsError",
  EISDIR: "IsADirectoryError",
  ENOTDIR: "NotADirectoryError",
  EACCES: "PermissionError",
  EROFS: "PermissionError",
  EINVAL: "ValueError",
  EILSEQ: "ValueError",
};

async function answer(work: () => Promise<string | number>): Promise<HostAnswer> {
  try {
    return { value: await work() };
  } catch (error) {
    if (error instanceof ArgumentError)
      return { raise: { type: "TypeError", message: error.message } };
    // `answerError` returns a text for a model and hides unknown errors.
    const { message } = answerError(error, (name) => name);
    const type = isFilesystemError(error) ? EXCEPTIONS[error.code] : undefined;
    return { raise: { type: type ?? "OSError", message: message.replace(/\.$/, "") } };
  }
}

/** A program called a function with a wrong argument. */
class ArgumentError extends Error {}

/** Finds an argument by position or by name. The engine appends keyword arguments as objects. */
function textArgument(args: readonly unknown[], index: number, name: string): string {
  const keyword = args.find((each) => isKeyword(each) && each.key === name);
  const value: unknown = isKeyword(keyword) ? keyword.value : args[index];
  if (typeof value === "string") return value;
  throw new ArgumentError(`${name} must be a str`);
}

function isKeyword(value: unknown): value is { readonly key: string; readonly value: unknown } {
  return typeof value === "object" && value !== null && "key" in value && "value" in value;
}
