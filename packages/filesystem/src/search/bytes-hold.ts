const NodeBuffer = globalThis.process?.getBuiltinModule?.("node:buffer")?.Buffer;

/** Whether bytes hold the UTF-8 of `needle`. Where that cannot be told quickly, the answer is that they may. */
export function bytesHold(needle: string): (bytes: Uint8Array) => boolean {
  if (needle === "" || NodeBuffer === undefined) return () => true;
  const wanted = NodeBuffer.from(needle);
  return (bytes) =>
    NodeBuffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(wanted) >= 0;
}
