/** A picture for the model. The types are those that every provider takes. */
export interface ToolImage {
  readonly mediaType: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
  /** In base64. */
  readonly data: string;
}

/** A call that did what it was asked to. */
export interface ToolSuccess<Value = unknown> {
  readonly success: true;
  readonly value: Value;
  /** A sentence for the model. */
  readonly message: string;
  /** Shown to models that can see. @default none */
  readonly images?: readonly ToolImage[];
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

export interface OkOptions {
  /** Pictures for the model beside the text. @default none */
  readonly images?: readonly ToolImage[] | undefined;
}

export function ok<Value>(
  value: Value,
  message: string,
  { images }: OkOptions = {},
): ToolSuccess<Value> {
  return Object.freeze(
    images === undefined || images.length === 0
      ? { success: true, value, message }
      : { success: true, value, message, images },
  );
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
