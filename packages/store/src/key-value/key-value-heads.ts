import type {
  BlobEngine,
  Claim,
  ClaimOutcome,
  EngineCommit,
  HeadEngine,
  HeadPage,
  HeadRecord,
  NewHead,
  StreamName,
} from "../engine/engine.js";
import { mapBounded } from "../engine/map-bounded.js";
import { randomName } from "../engine/sha256.js";
import { StoreError } from "../engine/store-error.js";
import { decodeHead, type HeadObject, objectsOf } from "./head-object.js";
import { ObjectWriter, partBytes } from "./head-parts.js";
import { HeadValues } from "./head-values.js";
import { appendRecords, readRecords } from "./record-segments.js";
import type { Storage } from "./storage.js";

const CONCURRENT_CALLS = 16;

/** Heads in a key-value store: one value for each, which is swapped last. */
export class KeyValueHeads implements HeadEngine {
  readonly name: string;
  readonly runsStatements = false;
  readonly #storage: Storage;
  readonly #blobs: BlobEngine;
  readonly #heads: HeadValues;

  constructor(storage: Storage, blobs: BlobEngine) {
    this.name = storage.name;
    this.#storage = storage;
    this.#blobs = blobs;
    this.#heads = new HeadValues(storage);
  }

  async prepare(): Promise<void> {
    await this.#storage.prepare?.();
  }

  async load(key: string): Promise<HeadRecord | undefined> {
    const cached = await this.#heads.get(key);
    return cached && this.#recordOf(cached.head);
  }

  claim(key: string, claim: Claim): Promise<ClaimOutcome> {
    return this.#heads.serialise(key, async () => {
      for (;;) {
        const found = await this.#heads.get(key);
        if (found === undefined && claim.create === undefined) return { kind: "absent" };
        const nowMs = Date.now();
        const leaseLeftMs = (found?.head.leaseUntilMs ?? 0) - nowMs;
        if (found && leaseLeftMs > 0 && !claim.force && found.head.owner !== claim.owner)
          return { kind: "busy", leaseLeftMs };
        // If there is no head, `create` is set.
        const before = found?.head ?? (await this.#newHead(claim.create as NewHead));
        const head: HeadObject = {
          ...before,
          epoch: before.epoch + 1,
          owner: claim.owner,
          leaseUntilMs: nowMs + claim.leaseMs,
        };
        if (await this.#heads.replace(key, found, head))
          return { kind: "claimed", head: await this.#recordOf(head) };
      }
    });
  }

  async create(key: string, head: NewHead): Promise<boolean> {
    return this.#heads.replace(key, undefined, await this.#newHead(head));
  }

  commit(key: string, commit: EngineCommit): Promise<boolean> {
    const { expected, blobs } = commit;
    return this.#heads.serialise(key, async () => {
      const found = await this.#heads.at(key, expected.version);
      if (!found || found.head.version !== expected.version) return false;
      const { head } = found;
      if (head.epoch !== expected.epoch || head.pools.at(-1) !== expected.pool) return false;
      const objects = new ObjectWriter(this.#storage, expected.pool);
      const entries = new Map(commit.entries?.clear ? [] : head.entries);
      for (const name of commit.entries?.delete ?? []) entries.delete(name);
      for (const [name, value] of commit.entries?.set ?? []) entries.set(name, objects.put(value));
      const state = commit.state && objects.put(commit.state);
      const deltas = commit.deltas.map((delta) => objects.put(delta));
      const next: HeadObject = {
        ...head,
        ...(await appendRecords(this.#storage, objects, head, commit.records)),
        version: head.version + 1,
        counts: {
          events: commit.counts.events + commit.records.events.length,
          transcript: commit.counts.transcript + commit.records.transcript.length,
        },
        recent: commit.recent,
        sizeBytes: commit.sizeBytes,
        updatedAtMs: Date.now(),
        leaseUntilMs: Date.now() + commit.leaseMs,
        state: state ?? head.state,
        deltas: state ? deltas : [...head.deltas, ...deltas],
        entries,
      };
      await Promise.all([this.#blobs.put(expected.pool, blobs), objects.flush()]);
      if (!(await this.#heads.replace(key, found, next))) return false;
      await this.#deleteUnused(head, next);
      return true;
    });
  }

  renew(key: string, epoch: number, leaseMs: number): Promise<boolean> {
    return this.#heads.serialise(key, async () => {
      for (;;) {
        const found = this.#heads.cached(key) ?? (await this.#heads.get(key));
        if (found?.head.epoch !== epoch) return false;
        const leaseUntilMs = leaseMs === 0 ? 0 : Date.now() + leaseMs;
        if (await this.#heads.replace(key, found, { ...found.head, leaseUntilMs })) return true;
      }
    });
  }

  async records(
    key: string,
    stream: StreamName,
    after: number,
    maxBytes: number,
  ): Promise<readonly Uint8Array[]> {
    const cached = this.#heads.cached(key);
    if (cached && cached.head.counts[stream] > after) {
      const records = await readRecords(this.#storage, cached.head, stream, after, maxBytes);
      if (records) return records;
    }
    // Segments that were merged in the meantime are gone; the new head has the new ones.
    const found = await this.#heads.get(key);
    return (found && (await readRecords(this.#storage, found.head, stream, after, maxBytes))) ?? [];
  }

  async entries(key: string): Promise<ReadonlyMap<string, Uint8Array>> {
    const found = await this.#heads.get(key);
    const entries = [...(found?.head.entries ?? [])];
    const values = await mapBounded(entries, CONCURRENT_CALLS, async ([name, part]) => {
      return [name, await partBytes(this.#storage, part, key)] as const;
    });
    return new Map(values);
  }

  async list(prefix: string, after: string, limit: number): Promise<HeadPage> {
    const keys: string[] = [];
    for await (const name of this.#storage.keys(`h/${prefix}`)) {
      const key = name.slice("h/".length);
      if (key > after) keys.push(key);
    }
    const page = keys.sort().slice(0, limit);
    const found = await mapBounded(page, CONCURRENT_CALLS, async (key) => {
      const value = await this.#storage.get(`h/${key}`);
      return value ? [{ key, ...decodeHead(value.bytes, key) }] : [];
    });
    const nowMs = Date.now();
    const heads = found
      .flat()
      .map(({ key, version, sizeBytes, createdAtMs, updatedAtMs, leaseUntilMs }) => ({
        ...{ key, version, sizeBytes, createdAtMs, updatedAtMs },
        ageMs: nowMs - updatedAtMs,
        leaseLeftMs: Math.max(0, leaseUntilMs - nowMs),
      }));
    return { heads, next: page.length < limit ? undefined : page.at(-1) };
  }

  async delete(key: string): Promise<void> {
    const found = await this.#heads.get(key);
    this.#heads.forget(key);
    await this.#storage.delete([`h/${key}`]);
    if (!found) return;
    const objects: string[] = [];
    for await (const object of this.#storage.keys(`o/${found.head.pools.at(-1)}/`))
      objects.push(object);
    await this.#storage.delete(objects);
  }

  swapKeys(key: string, expected: Uint8Array, keys: Uint8Array): Promise<boolean> {
    return this.#heads.serialise(key, async () => {
      for (;;) {
        const found = await this.#heads.get(key);
        if (!found?.head.keys || !areEqual(found.head.keys, expected)) return false;
        if (await this.#heads.replace(key, found, { ...found.head, keys })) return true;
      }
    });
  }

  async join(pool: string, member: string, root: Uint8Array): Promise<void> {
    await this.#storage.set(`m/${pool}/${member}`, root);
  }

  async members(pool: string): Promise<ReadonlyMap<string, Uint8Array>> {
    const prefix = `m/${pool}/`;
    const members = new Map<string, Uint8Array>();
    for await (const key of this.#storage.keys(prefix)) {
      const value = await this.#storage.get(key);
      if (value) members.set(key.slice(prefix.length), value.bytes);
    }
    return members;
  }

  async leave(pool: string, member: string): Promise<void> {
    await this.#storage.delete([`m/${pool}/${member}`]);
  }

  async close(): Promise<void> {
    await this.#storage.close?.();
  }

  async #newHead(given: NewHead): Promise<HeadObject> {
    const pool = given.pools.at(-1);
    if (pool === undefined) throw new StoreError("ARGUMENT_INVALID", "head", "it has no pool");
    const objects = new ObjectWriter(this.#storage, pool);
    const state = given.state && objects.put(given.state);
    const deltas = given.deltas.map((delta) => objects.put(delta));
    await objects.flush();
    const nowMs = Date.now();
    return {
      version: 0,
      epoch: 0,
      pools: given.pools,
      counts: { events: 0, transcript: 0 },
      recent: [],
      sizeBytes: given.sizeBytes,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
      owner: randomName(),
      leaseUntilMs: 0,
      segments: { events: [], transcript: [] },
      tail: { events: [], transcript: [] },
      state,
      deltas,
      entries: new Map(),
      keys: given.keys,
    };
  }

  async #recordOf(head: HeadObject): Promise<HeadRecord> {
    const { version, epoch, pools, counts, recent, sizeBytes, createdAtMs, updatedAtMs } = head;
    const [state, ...deltas] = await Promise.all(
      [head.state, ...head.deltas].map(
        (part) => part && partBytes(this.#storage, part, `head '${pools.at(-1)}'`),
      ),
    );
    const leaseLeftMs = Math.max(0, head.leaseUntilMs - Date.now());
    return {
      ...{ version, epoch, pools, counts, recent, sizeBytes, createdAtMs, updatedAtMs },
      leaseLeftMs,
      state,
      // Only the state may be undefined.
      deltas: deltas as Uint8Array[],
      keys: head.keys,
    };
  }

  /** Deletes objects that only the old head needed. Objects that a crash left are deleted together with the head. */
  async #deleteUnused(before: HeadObject, after: HeadObject): Promise<void> {
    const needed = objectsOf(after);
    const unused = [...objectsOf(before)].filter((object) => !needed.has(object));
    // The commit is done, whatever the outcome.
    await this.#storage.delete(unused.map((object) => `o/${object}`)).catch(() => {});
  }
}

function areEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
