/** Applies a delta to its base object. Returns `undefined` if the two do not match. */
export function applyDelta(base: Buffer, delta: Buffer): Buffer | undefined {
  const reader = { at: 0, delta };
  if (readSize(reader) !== base.length) return undefined;
  const result = Buffer.alloc(readSize(reader));
  let filled = 0;
  while (reader.at < delta.length) {
    const command = delta[reader.at++] ?? 0;
    if (command === 0) return undefined;
    const piece =
      command & 0x80
        ? readCopy(reader, command, base)
        : delta.subarray(reader.at, reader.at + command);
    if ((command & 0x80) === 0) reader.at += command;
    if (piece === undefined || filled + piece.length > result.length) return undefined;
    result.set(piece, filled);
    filled += piece.length;
  }
  return filled === result.length ? result : undefined;
}

interface DeltaReader {
  at: number;
  readonly delta: Buffer;
}

function readSize(reader: DeltaReader): number {
  let size = 0;
  for (let scale = 1; ; scale *= 128) {
    const byte = reader.delta[reader.at++] ?? 0;
    size += (byte & 0x7f) * scale;
    if ((byte & 0x80) === 0) return size;
  }
}

function readCopy(reader: DeltaReader, command: number, base: Buffer): Buffer | undefined {
  const offset = readSparse(reader, command, 4);
  const size = readSparse(reader, command >> 4, 3) || 0x10000;
  return offset + size <= base.length ? base.subarray(offset, offset + size) : undefined;
}

/** Each bit of `present` says whether the byte at that position is stored. Missing bytes are zero. */
function readSparse(reader: DeltaReader, present: number, places: number): number {
  let value = 0;
  for (let place = 0; place < places; place++)
    if (present & (1 << place)) value += (reader.delta[reader.at++] ?? 0) * 2 ** (8 * place);
  return value;
}
