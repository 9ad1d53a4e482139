export interface RequestMeterOptions {
  readonly maxRequests: number;
  readonly maxBufferedBytes: number;
}

/** Counts the pending requests with a body, and the bytes of their bodies. */
export class RequestMeter {
  readonly #options: RequestMeterOptions;
  readonly #open = new Set<MeteredRequest>();

  constructor(options: RequestMeterOptions) {
    this.#options = options;
  }

  get requestCount(): number {
    return this.#open.size;
  }

  get bufferedBytes(): number {
    let sum = 0;
    for (const { sizeBytes } of this.#open) sum += sizeBytes;
    return sum;
  }

  /** `undefined` if the limit is reached. */
  open(): MeteredRequest | undefined {
    if (this.#open.size >= this.#options.maxRequests) return undefined;
    const request: MeteredRequest = {
      sizeBytes: 0,
      add: (bytes) => {
        if (this.bufferedBytes + bytes > this.#options.maxBufferedBytes) return false;
        request.sizeBytes += bytes;
        return true;
      },
      close: () => void this.#open.delete(request),
    };
    this.#open.add(request);
    return request;
  }
}

export interface MeteredRequest {
  sizeBytes: number;
  /** Reserves memory for `bytes`. Returns false if there is not enough. */
  add(bytes: number): boolean;
  close(): void;
}
