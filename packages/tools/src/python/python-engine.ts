import type { DirectChanges } from "../files/record-command.js";

/** What a program may use. Every field can be set; what is left out keeps its default. */
export interface PythonLimits {
  /** How long one call may run, files included. @default 5_000 */
  readonly timeoutMs: number;
  /** @default 67_108_864 (64 MiB) */
  readonly maxMemoryBytes: number;
  /** Deepest nesting of calls. @default 200 */
  readonly maxRecursionDepth: number;
  /** Most characters of what it prints; a program that goes on is ended. @default 16_000 */
  readonly maxOutputCharacters: number;
  /** @default 48_000 */
  readonly maxCodeCharacters: number;
  /** Largest file that a program reads or writes. @default 1_048_576 (1 MiB) */
  readonly maxFileBytes: number;
}

export const DEFAULT_PYTHON_LIMITS: PythonLimits = Object.freeze({
  timeoutMs: 5_000,
  maxMemoryBytes: 64 * 1024 * 1024,
  maxRecursionDepth: 200,
  maxOutputCharacters: 16_000,
  maxCodeCharacters: 48_000,
  maxFileBytes: 1024 * 1024,
});

/** What JSON can carry. */
export type PlainValue =
  | null
  | boolean
  | number
  | string
  | readonly PlainValue[]
  | { readonly [key: string]: PlainValue };

export type PlainValues = Readonly<Record<string, PlainValue>>;

/** How a function of the host answered a program. */
export type HostAnswer =
  | { readonly value: PlainValue }
  /** Raised in the program, which may catch it. */
  | { readonly raise: { readonly type: string; readonly message: string } };

export interface PythonRequest {
  readonly code: string;
  /** Variables that the program begins with. */
  readonly globals: PlainValues;
  /** Variables whose whole text is wanted at the end. */
  readonly exports: readonly string[];
  readonly limits: PythonLimits;
  /** Ends the program; `run` then rejects with its reason. */
  readonly signal: AbortSignal;
  /** The functions a program may call beside its own. Never rejects. */
  readonly functions: Readonly<Record<string, (args: readonly unknown[]) => Promise<HostAnswer>>>;
}

export type PythonOutcome =
  | {
      readonly kind: "completed";
      /** The value of the last line when that is an expression, or else of the variable `result`. */
      readonly result: PlainValue;
      readonly stdout: string;
      readonly stderr: string;
      /** Cut where they are deep or long. */
      readonly globals: PlainValues;
      /** Those of the request's `exports` that are texts, uncut. */
      readonly exported: Readonly<Record<string, string>>;
      /** Files that it touched by other ways than `functions`, where it has other ways. @default none */
      readonly direct?: DirectChanges | undefined;
    }
  | {
      readonly kind: "raised";
      /** Such as `ValueError: no`. */
      readonly error: string;
      readonly stdout: string;
      /** The traceback. */
      readonly stderr: string;
    }
  /** Over a limit, or the engine did not survive it. */
  | {
      readonly kind: "ended";
      readonly limit: "time" | "memory" | "recursion" | "output" | "crash";
      readonly stdout: string;
    };

/**
 * Runs Python for a model.
 *
 * An implementer promises that nothing of a program outlives its call, that it
 * reaches no file, network, process or variable of the host but through
 * `functions`, that it ends within its limits, and that the next call works
 * whatever the last one did. `run` rejects only when the signal aborts or the
 * engine is not there.
 */
export interface PythonEngine {
  /** Short name for logs, such as `monty`. */
  readonly name: string;
  /** What a model should know before it writes for it: what is missing, what can be imported. */
  readonly description: string;
  run(request: PythonRequest): Promise<PythonOutcome>;
  /** Lets go of processes. A later `run` starts anew. */
  close(): Promise<void>;
}
