import { constants, deflateRawSync, deflateSync } from "node:zlib";

/** Smaller content is stored uncompressed, because compressing it takes longer than writing it. */
const MIN_COMPRESSED_BYTES = 4 * 1024;
const MAX_STORED_BYTES = 0xffff;
const HEADER = Buffer.from([0x78, 0x01]);

/** Returns a zlib stream of `content`, compressed if that makes it smaller. */
export function zlibStream(content: Uint8Array): Uint8Array {
  if (content.length >= MIN_COMPRESSED_BYTES) {
    const compressed = deflateSync(content, { level: 1 });
    if (compressed.length < content.length || content.length > MAX_STORED_BYTES) return compressed;
  }
  const stream = Buffer.allocUnsafe(content.length + STORED_OVERHEAD_BYTES);
  stream.set(HEADER);
  stream[2] = 1;
  stream.writeUInt16LE(content.length, 3);
  stream.writeUInt16LE(~content.length & 0xffff, 5);
  stream.set(content, 7);
  stream.writeUInt32BE(adler32(content), content.length + 7);
  return stream;
}

const STORED_OVERHEAD_BYTES = 11;

/**
 * Does the same for content that comes in pieces. Each piece is compressed separately up to a byte boundary, and
 * the results form one stream.
 */
export class ZlibPieces {
  #adler = 1;
  /** Whether the last piece became smaller. If not, the next one is stored, because compressing takes most of the time. */
  #isCompressing = true;
  #stored = 0;

  start(): Uint8Array {
    return HEADER;
  }

  piece(content: Uint8Array): Uint8Array {
    this.#adler = adler32(content, this.#adler);
    const level = this.#isCompressing || this.#stored >= STORED_PIECES ? 1 : 0;
    const piece = deflateRawSync(content, { level, finishFlush: constants.Z_SYNC_FLUSH });
    this.#stored = level === 0 ? this.#stored + 1 : 0;
    if (level === 1 && content.length >= MIN_COMPRESSED_BYTES)
      this.#isCompressing = piece.length < content.length;
    return piece;
  }

  end(): Uint8Array {
    const end = Buffer.from([1, 0, 0, 0xff, 0xff, 0, 0, 0, 0]);
    end.writeUInt32BE(this.#adler, 5);
    return end;
  }
}

/**
 * After this many pieces that were stored uncompressed, the next one is compressed, because later data may compress
 * better.
 */
const STORED_PIECES = 16;

const MODULUS = 65_521;
/** The number of bytes that can be added before a 32-bit sum could overflow. */
const RUN_BYTES = 5_552;

function adler32(bytes: Uint8Array, start = 1): number {
  let low = start & 0xffff;
  let high = start >>> 16;
  for (let index = 0; index < bytes.length; ) {
    const end = Math.min(index + RUN_BYTES, bytes.length);
    // Within bounds by construction.
    for (; index < end; index++) high += low += bytes[index] as number;
    low %= MODULUS;
    high %= MODULUS;
  }
  return ((high << 16) | low) >>> 0;
}
