/** A call that did what it was asked to. */
export interface ToolSuccess<Value = unknown> {
  readonly success: true;
  readonly value: Value;
  /** A sentence for the model. */
  readonly message: string;
}

/** A call that did nothing. The model is told why, and what it can do instead. */
export interface ToolFailure {
  readonly success: false;
  readonly message: string;
  /** What to do next. */
  readonly hint?: string;
}

/** What a handler answers with. Branch on `success`. */
export type ToolResult<Value = unknown> = ToolSuccess<Value> | ToolFailure;

export function ok<Value>(value: Value, message: string): ToolSuccess<Value> {
  return Object.freeze({ success: true, value, message });
}

export interface FailOptions {
  /** What the model can do next. @default none */
  readonly hint?: string | undefined;
}

export function fail(message: string, { hint }: FailOptions = {}): ToolFailure {
  return Object.freeze(
    hint === undefined ? { success: false, message } : { success: false, message, hint },
  );
}
