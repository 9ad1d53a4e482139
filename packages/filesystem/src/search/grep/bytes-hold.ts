const NodeBuffer = globalThis.process?.getBuiltinModule?.("node:buffer")?.Buffer;

/** The UTF-8 of `text`, as {@link bytesHold} wants it; `undefined` where bytes cannot be searched quickly. */
export function toWanted(text: string): Buffer | undefined {
  return NodeBuffer?.from(text);
}

/** Whether `bytes` hold `wanted`. */
export function bytesHold(bytes: Uint8Array, wanted: Buffer): boolean {
  return NodeBuffer === undefined || asBuffer(bytes, NodeBuffer).indexOf(wanted) >= 0;
}

/** Whether a NUL is among the bytes. */
export function holdNul(bytes: Uint8Array): boolean {
  // A Buffer is searched many times faster than a plain array of bytes.
  return NodeBuffer ? asBuffer(bytes, NodeBuffer).indexOf(0) >= 0 : bytes.includes(0);
}

function asBuffer(bytes: Uint8Array, Buffer: NonNullable<typeof NodeBuffer>): Buffer {
  if (bytes instanceof Buffer) return bytes;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
