import { checkOptions, requireText, wrongArgument } from "../error/check-options.js";
/** An image for the model. Every provider accepts these types. */
export interface ToolImage {
  readonly mediaType: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
  /** Base64. */
  readonly data: string;
}

/** The result of a call that succeeded. */
export interface ToolSuccess<Value = unknown> {
  readonly success: true;
  readonly value: Value;
  /** A sentence for the model. */
  readonly message: string;
  /** Shown to models with vision. @default none */
  readonly images?: readonly ToolImage[];
}

/** The result of a call that failed. It tells the model why, and what it can do instead. */
export interface ToolFailure {
  readonly success: false;
  readonly message: string;
  /** What to do next. */
  readonly hint?: string;
}

/** The result of a handler. Branch on `success`. */
export type ToolResult<Value = unknown> = ToolSuccess<Value> | ToolFailure;

export function ok<Value>(
  value: Value,
  message: string,
  options?: {
    /** Images for the model, in addition to the text. @default none */
    readonly images?: readonly ToolImage[] | undefined;
  },
): ToolSuccess<Value> {
  requireText("ok", message, "a message after the value");
  if (options !== undefined) checkOptions("ok", options, ["images"]);
  const images = options?.images;
  if (images !== undefined && !Array.isArray(images))
    throw wrongArgument("ok: images", "an array", images);
  return Object.freeze(
    images === undefined || images.length === 0
      ? { success: true, value, message }
      : { success: true, value, message, images },
  );
}

export function fail(
  message: string,
  options?: {
    /** What the model can do next. @default none */
    readonly hint?: string | undefined;
  },
): ToolFailure {
  requireText("fail", message, "a message");
  if (options !== undefined) checkOptions("fail", options, ["hint"]);
  const hint = options?.hint;
  return Object.freeze(
    hint === undefined ? { success: false, message } : { success: false, message, hint },
  );
}
