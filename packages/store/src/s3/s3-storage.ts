import { mapBounded } from "../engine/map-bounded.js";
import { randomName } from "../engine/sha256.js";
import { isStoreError, StoreError } from "../engine/store-error.js";
import type { RangeStorage } from "../key-value/packed-blobs.js";
import type { StoredValue } from "../key-value/storage.js";

/** A request to a bucket, signed and sent. */
export type S3Fetch = (url: string, init: RequestInit) => Promise<Response>;

const SUBJECT = "store 's3'";
const CONCURRENT_DELETIONS = 16;

/** The objects of a bucket as a key-value store. */
export class S3Storage implements RangeStorage {
  readonly name = "s3";
  readonly #fetch: S3Fetch;
  readonly #bucket: string;
  readonly #prefix: string;
  readonly #timeoutMs: number;

  /**
   * @param bucket the URL of the bucket, without a final '/'
   * @param prefix the beginning of all keys
   * @param timeoutMs how long one request may take
   */
  constructor(fetch: S3Fetch, bucket: string, prefix: string, timeoutMs: number) {
    this.#fetch = fetch;
    this.#bucket = bucket;
    this.#prefix = prefix;
    this.#timeoutMs = timeoutMs;
  }

  async get(key: string, signal?: AbortSignal): Promise<StoredValue | undefined> {
    const response = await this.#send("GET", key, { signal });
    if (response.status === 404) return undefined;
    await expectStatus(response, 200);
    return { bytes: await bytesOf(response), version: versionOf(response) };
  }

  async getRange(
    key: string,
    offset: number,
    length: number,
    signal?: AbortSignal,
  ): Promise<Uint8Array | undefined> {
    const range = `bytes=${offset}-${offset + length - 1}`;
    const response = await this.#send("GET", key, { signal, headers: { range } });
    if (response.status === 404 || response.status === 416) return undefined;
    // A server that does not know ranges returns the whole object.
    if (response.status === 200) return (await bytesOf(response)).subarray(offset, offset + length);
    await expectStatus(response, 206);
    return bytesOf(response);
  }

  async set(key: string, bytes: Uint8Array, signal?: AbortSignal): Promise<void> {
    await expectStatus(await this.#send("PUT", key, { body: bytes, signal }), 200);
  }

  add(key: string, bytes: Uint8Array, signal?: AbortSignal): Promise<string | undefined> {
    return this.#putIf(key, bytes, { "if-none-match": "*" }, signal);
  }

  swap(key: string, version: string, bytes: Uint8Array): Promise<string | undefined> {
    // Without quotes: radosgw compares the value exactly, and other servers accept both forms.
    return this.#putIf(key, bytes, { "if-match": version });
  }

  async delete(keys: readonly string[]): Promise<void> {
    await mapBounded(keys, CONCURRENT_DELETIONS, async (key) => {
      const response = await this.#send("DELETE", key, {});
      if (response.status !== 404) await expectStatus(response, 204, 200);
    });
  }

  async *keys(prefix: string): AsyncGenerator<string> {
    const base = `${this.#prefix}${prefix}`;
    for (let token: string | undefined = ""; token !== undefined; ) {
      const query = new URLSearchParams({ "list-type": "2", prefix: base });
      if (token !== "") query.set("continuation-token", token);
      const response = await this.#request(`${this.#bucket}?${query}`, { method: "GET" });
      await expectStatus(response, 200);
      const xml = await response.text();
      for (const [, key = ""] of xml.matchAll(/<Key>([^<]*)<\/Key>/g))
        yield unescapeXml(key).slice(this.#prefix.length);
      const next = /<NextContinuationToken>([^<]*)</.exec(xml)?.[1];
      token = /<IsTruncated>true</.test(xml) && next ? unescapeXml(next) : undefined;
    }
  }

  /** Checks that the server obeys conditions. Some ignore them silently, and two writers would overwrite each other. */
  async prepare(): Promise<void> {
    const key = `probe/${randomName()}`;
    const bytes = new TextEncoder().encode("wink");
    const first = await this.add(key, bytes);
    const second = await this.add(key, bytes);
    const swapped = await this.swap(key, "00000000000000000000000000000000", bytes);
    const right = first === undefined ? undefined : await this.swap(key, first, bytes);
    await this.delete([key]);
    if (first === undefined || right === undefined || second !== undefined || swapped !== undefined)
      throw new StoreError("NO_CONDITIONAL_WRITES", SUBJECT);
  }

  async #putIf(
    key: string,
    bytes: Uint8Array,
    condition: Readonly<Record<string, string>>,
    signal?: AbortSignal,
  ): Promise<string | undefined> {
    const response = await this.#send("PUT", key, { body: bytes, headers: condition, signal });
    if (response.status === 412) return undefined;
    if (response.status === 404 && "if-match" in condition) return undefined;
    await expectStatus(response, 200);
    return versionOf(response);
  }

  #send(
    method: string,
    key: string,
    options: {
      readonly body?: Uint8Array;
      readonly headers?: Readonly<Record<string, string>>;
      readonly signal?: AbortSignal | undefined;
    },
  ): Promise<Response> {
    const { body, headers = {}, signal } = options;
    return this.#request(`${this.#bucket}/${this.#prefix}${key}`, {
      method,
      headers,
      signal: signal ?? null,
      // The bytes are not in shared memory.
      ...(body && { body: body as Uint8Array<ArrayBuffer> }),
    });
  }

  async #request(url: string, init: RequestInit): Promise<Response> {
    const { signal } = init;
    const limit = AbortSignal.timeout(this.#timeoutMs);
    try {
      return await this.#fetch(url, {
        ...init,
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      });
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (isStoreError(error)) throw error;
      const code = (error as { cause?: { code?: unknown } }).cause?.code;
      const isUnsent =
        typeof code === "string" && /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN)$/.test(code);
      throw new StoreError(isUnsent ? "UNREACHABLE" : "UNKNOWN", SUBJECT, undefined, {
        cause: error,
      });
    }
  }
}

/** The codes of a request that did not arrive whole. S3 answers it with 400. */
const INCOMPLETE = new Set(["RequestTimeout", "IncompleteBody", "BadDigest"]);

async function expectStatus(response: Response, ...statuses: readonly number[]): Promise<void> {
  const { status } = response;
  if (statuses.includes(status)) return;
  const code = await errorCodeOf(response);
  if (status === 401 || status === 403)
    throw new StoreError("ARGUMENT_INVALID", SUBJECT, "the server refused the credentials");
  if (status === 413) throw new StoreError("TOO_LARGE", SUBJECT);
  if (status === 507) throw new StoreError("FULL", SUBJECT);
  if (status === 404)
    throw new StoreError("ARGUMENT_INVALID", SUBJECT, "the bucket does not exist");
  // After these statuses the write may have happened, or it can be repeated.
  if (status === 409 || status === 429 || status >= 500 || (code && INCOMPLETE.has(code)))
    throw new StoreError("UNKNOWN", SUBJECT);
  const what = [status, code].filter(Boolean).join(" ");
  throw new StoreError("ARGUMENT_INVALID", SUBJECT, `the server refused a request (${what})`);
}

/** Also reads the rest of the answer, so that the connection can be used again. */
async function errorCodeOf(response: Response): Promise<string | undefined> {
  const text = await response.text().catch(() => "");
  return /<Code>(\w+)<\/Code>/.exec(text)?.[1];
}

function versionOf(response: Response): string {
  return (response.headers.get("etag") ?? "").replaceAll('"', "");
}

async function bytesOf(response: Response): Promise<Uint8Array> {
  try {
    return new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    // The connection was lost in the middle of the answer.
    throw new StoreError("UNKNOWN", SUBJECT, undefined, { cause: error });
  }
}

function unescapeXml(text: string): string {
  const names: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
  return text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => names[name] ?? "");
}
