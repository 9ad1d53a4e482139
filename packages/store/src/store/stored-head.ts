import { quoted } from "../arguments/quoted.js";
import type { BlobRef } from "../engine/blob-ref.js";
import { checkNumber, checkOptions } from "../engine/check-options.js";
import type { HeadRecord, StreamName } from "../engine/engine.js";
import { decodeFrames, toText } from "../engine/frames.js";
import { StoreError } from "../engine/store-error.js";
import type { EntriesOptions, Head, RecordsOptions, StoreCallOptions } from "./head.js";
import { type HeadContext, ownCipher, patienceOf } from "./head-context.js";
import { ContentReader } from "./read-contents.js";
import { retry } from "./retry.js";

const PAGE_BYTES = 1024 * 1024;

/** A head as it was read. */
export class StoredHead implements Head {
  readonly id: string;
  protected readonly context: HeadContext;
  /** The state and the deltas are decrypted. */
  protected record: HeadRecord;
  protected readonly contents: ContentReader;

  constructor(context: HeadContext, record: HeadRecord) {
    this.id = context.id;
    this.context = context;
    this.record = record;
    this.contents = new ContentReader(context, record.pools);
  }

  get version(): number {
    return this.record.version;
  }
  get epoch(): number {
    return this.record.epoch;
  }
  get state(): Uint8Array | undefined {
    return this.record.state;
  }
  get deltas(): readonly Uint8Array[] {
    return this.record.deltas;
  }
  get counts(): Readonly<Record<StreamName, number>> {
    return this.record.counts;
  }
  get sizeBytes(): number {
    return this.record.sizeBytes;
  }
  get createdAtMs(): number {
    return this.record.createdAtMs;
  }
  get updatedAtMs(): number {
    return this.record.updatedAtMs;
  }

  async *records(
    stream: StreamName,
    options: RecordsOptions = {},
  ): AsyncGenerator<readonly Uint8Array[]> {
    checkOptions("records", options, ["after", "pageBytes", "signal"]);
    const { engine, key, subject } = this.context;
    const { pageBytes = PAGE_BYTES } = options;
    if (stream !== "events" && stream !== "transcript")
      throw new StoreError("ARGUMENT_INVALID", "records", `unknown stream ${quoted(stream)}`);
    let { after = 0 } = options;
    checkNumber("after", after, 0);
    checkNumber("pageBytes", pageBytes, 1);
    // Records that were added after this head was read do not belong to it.
    const last = this.counts[stream];
    while (after < last) {
      const page = await retry(
        () => engine.heads.records(key, stream, after, pageBytes),
        patienceOf(this.context, options),
      );
      if (page.length === 0)
        throw new StoreError("REWOUND", subject, `records of the stream '${stream}' are missing`);
      const first = after;
      const wanted = page.slice(0, last - after);
      yield await Promise.all(
        wanted.map((bytes, index) =>
          ownCipher(this.context).open(`${stream} ${first + index + 1}`, bytes, subject),
        ),
      );
      after += page.length;
    }
  }

  async entries(options: EntriesOptions = {}): Promise<ReadonlyMap<string, Uint8Array>> {
    checkOptions("entries", options, ["prefix", "signal"]);
    const { engine, key, subject } = this.context;
    const { prefix = "" } = options;
    const stored = await retry(() => engine.heads.entries(key), patienceOf(this.context, options));
    const opened = await Promise.all(
      [...stored.values()].map(async (bytes) => {
        const value = await ownCipher(this.context).open("entry", bytes, subject);
        const [name, content] = decodeFrames(value, subject);
        // `commit` writes two frames.
        return [toText(name as Uint8Array), content as Uint8Array] as const;
      }),
    );
    const wanted = opened.filter(([name]) => name.startsWith(prefix));
    return new Map(wanted.sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  read(
    refs: readonly BlobRef[],
    options?: StoreCallOptions,
  ): Promise<ReadonlyMap<BlobRef, Uint8Array>> {
    return this.contents.read(refs, options);
  }

  readRange(
    ref: BlobRef,
    offset: number,
    length: number,
    options?: StoreCallOptions,
  ): Promise<Uint8Array> {
    return this.contents.readRange(ref, offset, length, options);
  }

  stream(ref: BlobRef, options?: StoreCallOptions): AsyncIterable<Uint8Array> {
    return this.contents.stream(ref, options);
  }
}

/** Opens the sealed parts of a head. */
export async function openRecord(context: HeadContext, stored: HeadRecord): Promise<HeadRecord> {
  const cipher = ownCipher(context);
  const { state, deltas } = stored;
  return {
    ...stored,
    state: state && (await cipher.open("state", state, context.subject)),
    deltas: await Promise.all(deltas.map((delta) => cipher.open("delta", delta, context.subject))),
  };
}
