import { toBytes } from "./node-content.js";

/** A part of a buffer, and its position in the file. */
export interface Place {
  readonly offset?: number | null | undefined;
  readonly length?: number | null | undefined;
  /** @default the position of the handle, which then moves on */
  readonly position?: number | bigint | null | undefined;
}

export function isView(value: unknown): value is NodeJS.ArrayBufferView {
  return ArrayBuffer.isView(value);
}

export function placeOf(
  offset: number | Place | null | undefined,
  length: number | null | undefined,
  position: number | bigint | null | undefined,
): Place {
  return typeof offset === "object" && offset !== null ? offset : { offset, length, position };
}

export function sliceOf(view: NodeJS.ArrayBufferView, { offset, length }: Place): Buffer {
  const bytes = toBytes(view);
  const start = offset ?? 0;
  return bytes.subarray(start, start + (length ?? bytes.length - start));
}

export function positionOf(position: Place["position"]): number | undefined {
  if (position === null || position === undefined) return undefined;
  const at = Number(position);
  return at < 0 ? undefined : at;
}
