import { EXIT_CODES, type ExitCode } from "./exit-codes.js";

export interface CliErrorOptions {
  /**
   * How the process ends.
   *
   * @default 1, failed
   */
  readonly exitCode?: ExitCode | undefined;
  /** What the person can do now, as one line; a command is written out in full. */
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

/**
 * Ends a command with one sentence for the person who typed it.
 *
 * The sentence may name paths: it goes to a terminal, never to a model. The stack, and that of the cause, is shown with `--debug`.
 */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly exitCode: ExitCode;
  readonly hint: string | undefined;

  constructor(message: string, options: CliErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.exitCode = options.exitCode ?? EXIT_CODES.failed;
    this.hint = options.hint;
  }
}
