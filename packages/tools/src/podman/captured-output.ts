/** What a stream brought, up to a limit that it shares with others; the end is kept in any case. */
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

  /** Whether something between the beginning and the end is missing. */
  get isCut(): boolean {
    return this.#isCut;
  }

  bytes(): Buffer {
    return Buffer.concat([...this.#chunks, this.#tail]);
  }
}

/** Enough for the mark at the end of standard error. */
const TAIL_BYTES = 256;

/** How many bytes may still be kept, of all streams together. */
export class OutputRoom {
  #left: number;
  readonly #onFull: () => void;

  constructor(maxBytes: number, onFull: () => void) {
    this.#left = maxBytes;
    this.#onFull = onFull;
  }

  /** Answers how many of them may be kept. */
  take(bytes: number): number {
    const granted = Math.min(this.#left, bytes);
    this.#left -= granted;
    if (granted < bytes) this.#onFull();
    return granted;
  }
}

/** Bytes as text. What is not UTF-8 is shown by U+FFFD, and `lossy` says so. */
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
