import { CommanderError } from "commander";
import { CliError } from "../terminal/cli-error.js";
import { showCommands } from "../terminal/command-name.js";
import { EXIT_CODES, type ExitCode } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import { remark, sayJson } from "../terminal/print.js";
import { stateDirectory } from "../workspace/state-directory.js";

export interface ReportErrorOptions {
  readonly json: boolean;
  /** Show stack traces. */
  readonly debug: boolean;
}

const NO_SPACE_HINT =
  "The copy of the workspace is in the state directory. Free some space on its disk, or set WINK_STATE_DIR to a directory on another disk.";

/** What to do about an error of a library, by its code. */
const HINTS: Readonly<Record<string, string>> = {
  REQUEST_CHANGED:
    "The agent or its files changed since the recording. Record it again: `wink run --record <file>`.",
  EDQUOT: NO_SPACE_HINT,
  ENOSPC: NO_SPACE_HINT,
  NO_SPACE: NO_SPACE_HINT,
};

/** Prints the error in one sentence with a hint, and returns the exit code. */
export function reportError(io: Io, error: unknown, options: ReportErrorOptions): ExitCode {
  const { message, detail, hint: text, directory, exitCode } = describe(error, io);
  const hint = text === undefined ? undefined : showCommands(io, text, { directory });
  if (options.json) sayJson(io, { error: { message, detail, hint, exitCode } });
  remark(io, `wink: ${message}`);
  if (detail !== undefined) remark(io, detail);
  if (hint !== undefined) remark(io, hint);
  if (options.debug) remark(io, `\n${stackOf(error)}`);
  return exitCode;
}

interface Description {
  readonly message: string;
  /** Further lines, such as a difference. */
  readonly detail?: string | undefined;
  readonly hint: string | undefined;
  readonly directory?: string | undefined;
  readonly exitCode: ExitCode;
}

function describe(error: unknown, { env }: Io): Description {
  if (error instanceof CliError) return error;
  if (error instanceof CommanderError) {
    return {
      message: error.message.replace(/^error: /, ""),
      hint: "See `wink --help`, or `wink help <command>`.",
      exitCode: EXIT_CODES.usage,
    };
  }
  if (isStoreError(error))
    return {
      message: error.message,
      hint: undefined,
      exitCode: ["ARGUMENT_INVALID", "LOST"].includes(String(codeOf(error)))
        ? EXIT_CODES.usage
        : EXIT_CODES.failed,
    };
  const text = error instanceof Error ? error.message : String(error);
  // People share logs and issues, and the path of the state directory contains the user name.
  // `--debug` shows it.
  const [message = "", ...more] = text
    .replaceAll(stateDirectory(env), "<state directory>")
    .split("\n");
  const isChanged = codeOf(error) === "REQUEST_CHANGED";
  return {
    message,
    detail: isChanged && more.length > 0 ? more.join("\n") : undefined,
    hint: HINTS[String(codeOf(error))] ?? "Add --debug to see where this comes from.",
    exitCode: EXIT_CODES.failed,
  };
}

function codeOf(error: unknown): unknown {
  return typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
}

/** Compares the name, because loading the store takes longer than most commands. */
function isStoreError(error: unknown): error is Error {
  return error instanceof Error && error.name === "StoreError";
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // The text of its cause may contain an address.
  if (isStoreError(error) && error.cause !== undefined && !isStoreError(error.cause))
    return `${error.stack ?? error.message}\nCaused by: ${String(codeOf(error.cause) ?? "an error without a code")}`;
  const cause = error.cause === undefined ? "" : `\nCaused by: ${stackOf(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}
