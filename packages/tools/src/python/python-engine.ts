/** Resource limits of a program. */
export interface PythonLimits {
  /** The timeout of one call, including file access. @default 5_000 */
  readonly timeoutMs: number;
  /** @default 67_108_864 (64 MiB) */
  readonly maxMemoryBytes: number;
  /** Maximum depth of nested calls. @default 200 */
  readonly maxRecursionDepth: number;
  /** Maximum number of printed characters. A program that prints more is ended. @default 16_000 */
  readonly maxOutputCharacters: number;
  /** @default 48_000 */
  readonly maxCodeCharacters: number;
  /** Maximum size of a file that a program reads or writes. @default 1_048_576 (1 MiB) */
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

/** A JSON value. */
export type PlainValue =
  | null
  | boolean
  | number
  | string
  | readonly PlainValue[]
  | { readonly [key: string]: PlainValue };

export interface PythonRequest {
  readonly code: string;
  /** Initial variables of the program. */
  readonly globals: Readonly<Record<string, PlainValue>>;
  /** Variables whose complete text to return at the end. */
  readonly exports: readonly string[];
  readonly limits: PythonLimits;
  /** Ends the program; `run` then rejects with its reason. */
  readonly signal: AbortSignal;
  /** Host functions that the program may call. They never reject. */
  readonly functions: Readonly<
    Record<
      string,
      (args: readonly unknown[]) => Promise<
        | { readonly value: PlainValue }
        /** Raised in the program, which may catch it. */
        | { readonly raise: { readonly type: string; readonly message: string } }
      >
    >
  >;
}

export type PythonOutcome =
  | {
      readonly kind: "completed";
      /** The value of the last line if it is an expression, otherwise of the variable `result`. */
      readonly result: PlainValue;
      readonly stdout: string;
      readonly stderr: string;
      /** Deep and long values are cut. */
      readonly globals: Readonly<Record<string, PlainValue>>;
      /** The variables in `exports` that are strings, complete. */
      readonly exported: Readonly<Record<string, string>>;
      /** Files that the program changed without `functions`. @default none */
      readonly direct?:
        | {
            readonly changed: readonly { readonly path: string; readonly sizeBytes: number }[];
            readonly removed: readonly string[];
          }
        | undefined;
    }
  | {
      readonly kind: "raised";
      /** For example `ValueError: no`. */
      readonly error: string;
      readonly stdout: string;
      /** The traceback. */
      readonly stderr: string;
    }
  /** The program exceeded a limit or crashed the engine. */
  | {
      readonly kind: "ended";
      readonly limit: "time" | "memory" | "recursion" | "output" | "crash";
      readonly stdout: string;
    };

/**
 * Runs Python for a model.
 *
 * An implementation must ensure that nothing of a program remains after its call, that it
 * accesses files, network, processes and variables of the host only through
 * `functions`, that it ends within its limits, and that the next call works in any
 * case. `run` rejects only if the signal aborts or the engine is not available.
 */
export interface PythonEngine {
  /** Short name for logs, such as `monty`. */
  readonly name: string;
  /** Tells a model what it must know to write a program: missing features and available modules. */
  readonly description: string;
  run(request: PythonRequest): Promise<PythonOutcome>;
  /** Ends the engine's processes. A later `run` starts new ones. */
  close(): Promise<void>;
}

/** The answer of a host function to the program. */
export type HostAnswer = Awaited<ReturnType<PythonRequest["functions"][string]>>;
