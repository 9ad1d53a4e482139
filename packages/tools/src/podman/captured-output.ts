/** Captures a stream up to a byte limit shared with other streams. The last bytes are always captured. */
export class CapturedOutput {
  readonly #room: OutputRoom;
  readonly #chunks: Buffer[] = [];
  #tail: Buffer = Buffer.alloc(0);
  #isCut = false;

  constructor(room: OutputRoom) {
    this.#room = room;
  }

  add(chunk: Buffer): void {
    const kept = chunk.subarray(0, this.#room.take(chunk.length));
    if (kept.length > 0) this.#chunks.push(kept);
    if (kept.length === chunk.length && !this.#isCut) return;
    this.#isCut = true;
    this.#tail = Buffer.concat([this.#tail, chunk.subarray(kept.length)]).subarray(-TAIL_BYTES);
  }

  /** Whether bytes between the beginning and the end were dropped. */
  get isCut(): boolean {
    return this.#isCut;
  }

  bytes(): Buffer {
    return Buffer.concat([...this.#chunks, this.#tail]);
  }
}

/** Enough for the mark at the end of standard error. */
const TAIL_BYTES = 256;

/** The byte limit that several streams share. */
export class OutputRoom {
  #left: number;
  readonly #onFull: () => void;

  constructor(maxBytes: number, onFull: () => void) {
    this.#left = maxBytes;
    this.#onFull = onFull;
  }

  /** Returns how many of these bytes may be captured. Calls `onFull` if not all of them may be. */
  take(bytes: number): number {
    const granted = Math.min(this.#left, bytes);
    this.#left -= granted;
    if (granted < bytes) this.#onFull();
    return granted;
  }
}

/** Decodes UTF-8. Invalid bytes become U+FFFD, and then `lossy` is true. */
export function decodeOutput(bytes: Buffer): { readonly text: string; readonly lossy: boolean } {
  try {
    return {
      text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes),
      lossy: false,
    };
  } catch {
    return { text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes), lossy: true };
  }
}
