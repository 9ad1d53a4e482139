import { StoreError } from "./store-error.js";

const LENGTH_BYTES = 4;

/** Joins byte strings so that they can be separated again: each has its length in front. */
export function encodeFrames(frames: readonly Uint8Array[]): Uint8Array {
  const total = frames.reduce((sum, frame) => sum + LENGTH_BYTES + frame.length, 0);
  const bytes = new Uint8Array(total);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const frame of frames) {
    view.setUint32(at, frame.length);
    bytes.set(frame, at + LENGTH_BYTES);
    at += LENGTH_BYTES + frame.length;
  }
  return bytes;
}

/** The frames share memory with `bytes`. */
export function decodeFrames(bytes: Uint8Array, subject: string): Uint8Array[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const frames: Uint8Array[] = [];
  let at = 0;
  while (at < bytes.length) {
    const length =
      at + LENGTH_BYTES <= bytes.length ? view.getUint32(at) : Number.POSITIVE_INFINITY;
    at += LENGTH_BYTES;
    if (at + length > bytes.length)
      throw new StoreError("CORRUPT_BLOB", subject, "its stored form is damaged");
    frames.push(bytes.subarray(at, at + length));
    at += length;
  }
  return frames;
}

export function toBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export function toText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

export function totalBytes(parts: Iterable<Uint8Array>): number {
  let total = 0;
  for (const part of parts) total += part.length;
  return total;
}
