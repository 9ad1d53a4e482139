import { type BlobRef, parseRef } from "../engine/blob-ref.js";
import type { HeadRecord } from "../engine/engine.js";
import { decodeFrames, encodeFrames } from "../engine/frames.js";
import { StoreError } from "../engine/store-error.js";
import type { SweepReport, SweepRoot, Trace } from "./head.js";
import { type HeadContext, ownCipher, ownPool } from "./head-context.js";
import type { PlacedBatch } from "./place-contents.js";
import type { ContentReader } from "./read-contents.js";
import { retry, retryWrite } from "./retry.js";

/**
 * Deletes the objects of a head's own pool that no root names.
 *
 * It needs no clock and no grace period. Only the writer with the lease sweeps, it knows what it has in flight, and what
 * an older writer still stores can never be committed.
 */
export async function sweepPool(
  context: HeadContext,
  contents: ContentReader,
  record: HeadRecord,
  entries: ReadonlyMap<string, Uint8Array>,
  inFlight: readonly PlacedBatch[],
  trace: Trace,
  leaseMs: number,
): Promise<SweepReport> {
  const { engine, key, subject } = context;
  const pool = ownPool(record);
  const live = new LiveObjects(context, contents, record.pools.length - 1);
  for (const { refs, chunks } of inFlight)
    for (const ref of refs) await live.add(ref, chunks.get(ref));
  const { state, deltas } = record;
  const roots: SweepRoot[] = [{ state, deltas, entries }];
  const patience = { timeoutMs: context.timeoutMs };
  const members = await retry(() => engine.heads.members(pool), patience);
  for (const stored of members.values())
    roots.push(decodeRoot(await ownCipher(context).open("root", stored, subject), subject));
  for (const root of roots) for await (const ref of referencesOf(trace, root)) await live.add(ref);

  let [deletedObjects, deletedBytes, keptBytes] = [0, 0, 0];
  for await (const page of engine.blobs.list(pool)) {
    const dead = page.filter(({ name }) => !live.has(name));
    const deadBytes = dead.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    keptBytes += page.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) - deadBytes;
    if (dead.length === 0) continue;
    const names = dead.map(({ name }) => name);
    const { epoch } = record;
    // The claim is checked after the list: so everything in the list was stored before a later writer could start.
    const isDeleted =
      (await retryWrite(() => engine.heads.renew(key, epoch, leaseMs), patience)) &&
      (await retryWrite(() => engine.blobs.delete(pool, names, { key, epoch }), patience));
    if (!isDeleted) throw new StoreError("LEASE_LOST", subject);
    deletedObjects += dead.length;
    deletedBytes += deadBytes;
  }
  return { deletedObjects, deletedBytes, keptBytes };
}

/**
 * Encodes the state that a fork started from: the full state, if there is one, then the deltas. The pool of the parent
 * stores these bytes.
 */
export function encodeRoot({ state, deltas }: Pick<SweepRoot, "state" | "deltas">): Uint8Array {
  const flag = Uint8Array.of(state === undefined ? 0 : 1);
  return encodeFrames([flag, ...(state === undefined ? [] : [state]), ...deltas]);
}

function decodeRoot(bytes: Uint8Array, subject: string): SweepRoot {
  const [flag, ...frames] = decodeFrames(bytes, subject);
  const hasState = flag?.[0] === 1;
  return {
    state: hasState ? frames[0] : undefined,
    deltas: hasState ? frames.slice(1) : frames,
    entries: new Map(),
  };
}

/** The objects of one pool that must stay. */
class LiveObjects {
  readonly #context: HeadContext;
  readonly #contents: ContentReader;
  readonly #pool: number;
  readonly #names = new Set<string>();
  readonly #lists = new Set<BlobRef>();

  constructor(context: HeadContext, contents: ContentReader, pool: number) {
    this.#context = context;
    this.#contents = contents;
    this.#pool = pool;
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  /** @param chunks those of a content in chunks; it may not be stored yet */
  async add(ref: BlobRef, chunks?: readonly BlobRef[]): Promise<void> {
    const parsed = parseRef(ref);
    if (parsed.pool !== this.#pool || parsed.sizeBytes === 0) return;
    this.#names.add(this.#context.engine.blobs.objectOf(parsed));
    if (!parsed.chunked || this.#lists.has(ref)) return;
    this.#lists.add(ref);
    for (const chunk of chunks ?? (await this.#contents.chunksOf(ref))) await this.add(chunk);
  }
}

/** Without this check, a function that forgets to return its list would delete everything. */
function referencesOf(trace: Trace, root: SweepRoot): ReturnType<Trace> {
  const references = typeof trace === "function" ? trace(root) : undefined;
  if (
    typeof references === "object" &&
    references !== null &&
    (Symbol.iterator in references || Symbol.asyncIterator in references)
  )
    return references;
  throw new StoreError(
    "ARGUMENT_INVALID",
    "sweep",
    "expected a function that returns the references of a root",
  );
}
