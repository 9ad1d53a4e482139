import type { Readable, Writable } from "node:stream";
import type { ExitCode } from "./exit-codes.js";
import type { KeyListener } from "./key-listener.js";
import type { StatusLine } from "./status-line.js";

/**
 * What a command needs from its process. Tests replace it, so that commands run without a process.
 */
export interface Io {
  readonly stdin: Readable;
  /** The result: text for a person, or one JSON document with `--json`. */
  readonly stdout: Writable;
  /** Progress, questions and errors. */
  readonly stderr: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The base of relative paths on the command line. */
  readonly cwd: string;
  /** Whether `stdout` supports colour: it is a terminal, without `NO_COLOR` and `--no-color`. */
  readonly color: boolean;
  /** Whether `stdout` is a terminal, with or without colour. */
  readonly isStdoutTerminal: boolean;
  /** Whether `stderr` supports colour. */
  readonly stderrColor: boolean;
  /** Whether a person can be asked: `stdin` and `stderr` are terminals. */
  readonly isTerminal: boolean;
  /** Width of the terminal, or 80 without one. */
  readonly columns: number;
  /** Shows what the command waits for. */
  readonly status: StatusLine;
  /** Listens to the Esc key while the command works. */
  readonly keys: KeyListener;
  /** The exit code after the command has returned. Starts as 0. */
  exitCode: ExitCode;
  /**
   * Calls `listener` on the first Ctrl-C or termination signal instead of ending the process. The
   * second signal ends the process immediately. Returns a function that removes the listener.
   */
  onInterrupt(listener: () => void): () => void;
}
