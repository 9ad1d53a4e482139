import { EXIT_CODES, type ExitCode } from "./exit-codes.js";

export interface CliErrorOptions {
  /**
   * The exit code of the process.
   *
   * @default 1, failed
   */
  readonly exitCode?: ExitCode | undefined;
  /** What the user can do now, in one line. Commands are written as `wink apply`, in backticks. */
  readonly hint?: string | undefined;
  /** The directory of the workspace that the hint's commands are about. @default none */
  readonly directory?: string | undefined;
  readonly cause?: unknown;
}

/**
 * Ends a command with one sentence for the user.
 *
 * The sentence may contain paths, because it goes to a terminal and never to a model. `--debug`
 * shows the stack traces of the error and its cause.
 */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly exitCode: ExitCode;
  readonly hint: string | undefined;
  readonly directory: string | undefined;

  constructor(message: string, options: CliErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.exitCode = options.exitCode ?? EXIT_CODES.failed;
    this.hint = options.hint;
    this.directory = options.directory;
  }
}
