const NodeBuffer = globalThis.process?.getBuiltinModule?.("node:buffer")?.Buffer;

/** The UTF-8 of `text` for {@link bytesHold}; `undefined` if this runtime cannot search bytes quickly. */
export function toWanted(text: string): Buffer | undefined {
  return NodeBuffer?.from(text);
}

/** Whether `bytes` contain `wanted`. */
export function bytesHold(bytes: Uint8Array, wanted: Buffer): boolean {
  return NodeBuffer === undefined || asBuffer(bytes, NodeBuffer).indexOf(wanted) >= 0;
}

/** Whether the bytes contain a NUL. */
export function holdNul(bytes: Uint8Array): boolean {
  // Searching a Buffer is many times faster than searching a plain Uint8Array.
  return NodeBuffer ? asBuffer(bytes, NodeBuffer).indexOf(0) >= 0 : bytes.includes(0);
}

function asBuffer(bytes: Uint8Array, Buffer: NonNullable<typeof NodeBuffer>): Buffer {
  if (bytes instanceof Buffer) return bytes;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
