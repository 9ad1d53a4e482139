const NodeBuffer = globalThis.process?.getBuiltinModule?.("node:buffer")?.Buffer;

/** Whether bytes hold the UTF-8 of `needle`. Where that cannot be told quickly, the answer is that they may. */
export function bytesHold(needle: string): (bytes: Uint8Array) => boolean {
  if (needle === "" || NodeBuffer === undefined) return () => true;
  const wanted = NodeBuffer.from(needle);
  return (bytes) => asBuffer(bytes, NodeBuffer).indexOf(wanted) >= 0;
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
