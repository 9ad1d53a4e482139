import type { Readable, Writable } from "node:stream";
import type { ExitCode } from "./exit-codes.js";

/** Everything a command knows of the process it runs in. Only `main.ts` touches `process`. */
export interface Io {
  readonly stdin: Readable;
  /** What was asked for: text for a person, or one JSON document with `--json`. */
  readonly stdout: Writable;
  /** Progress, questions and errors. */
  readonly stderr: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where relative paths of the command line begin. */
  readonly cwd: string;
  /** Whether `stdout` takes colour: a terminal, no `NO_COLOR`, no `--no-color`. */
  readonly color: boolean;
  /** Whether a person reads `stdout`, in colour or not. */
  readonly isStdoutTerminal: boolean;
  /** Colour, for `stderr`. */
  readonly stderrColor: boolean;
  /** Whether a person can be asked: `stdin` and `stderr` are both a terminal. */
  readonly isTerminal: boolean;
  /** Width of the terminal, 80 when there is none. */
  readonly columns: number;
  /** How the process will end when the command has returned. Starts as 0. */
  exitCode: ExitCode;
  /**
   * Calls `listener` on the first Ctrl-C or termination signal instead of ending the process; the second ends it at once.
   * Returns a function that takes the listener away.
   */
  onInterrupt(listener: () => void): () => void;
}
