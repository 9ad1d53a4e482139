/**
 * A copy as a plain `Uint8Array` with its own memory. `Buffer.slice` gives neither: it returns a view, and a
 * `Buffer`.
 */
export function copyBytes(bytes: Uint8Array, start = 0, end: number = bytes.length): Uint8Array {
  return new Uint8Array(bytes.subarray(start, end));
}

/** Drivers may return a `Buffer`, whose methods behave differently, so convert it. */
export function plainBytes(bytes: Uint8Array): Uint8Array {
  return bytes.constructor === Uint8Array ? bytes : copyBytes(bytes);
}

export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}
