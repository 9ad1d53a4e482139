import type {
  Claim,
  ClaimOutcome,
  EngineCommit,
  HeadEngine,
  HeadPage,
  HeadRecord,
  NewHead,
  StreamName,
} from "../engine/engine.js";
import { StoreError } from "../engine/store-error.js";
import { checkServer } from "./check-server.js";
import type { RedisConnection, RedisReply } from "./redis-connection.js";
import { toArgument } from "./redis-connection.js";
import type { RedisKeys } from "./redis-keys.js";
import { CLAIM, COMMIT, CREATE, LOAD, RECORDS, RENEW, SWAP_KEYS } from "./redis-scripts.js";

const NOTHING = Buffer.alloc(0);
/** A script cannot pass more fields to one command. */
const MAX_CHANGED_ENTRIES = 3000;

/** Heads in the hashes of a Redis or Valkey server. Each method is one round trip. */
export class RedisHeads implements HeadEngine {
  readonly name = "redis";
  readonly runsStatements = false;
  readonly #connection: RedisConnection;
  readonly #keys: RedisKeys;
  readonly #close: () => Promise<void>;

  constructor(connection: RedisConnection, keys: RedisKeys, close: () => Promise<void>) {
    this.#connection = connection;
    this.#keys = keys;
    this.#close = close;
  }

  prepare(): Promise<void> {
    return checkServer(this.#connection);
  }

  async load(key: string): Promise<HeadRecord | undefined> {
    const reply = await this.#connection.run(LOAD, this.#headKeys(key), []);
    return reply === null ? undefined : recordOf(reply);
  }

  async claim(key: string, claim: Claim): Promise<ClaimOutcome> {
    const { owner, leaseMs, force, create } = claim;
    const given = create
      ? ["1", JSON.stringify(create.pools), create.pools.at(-1) ?? "", create.keys ?? NOTHING]
      : ["0", "", "", NOTHING];
    // The index first: a head that a list does not show would never be pruned.
    const indexed = create
      ? this.#connection.send("ZADD", this.#keys.indexOf(key), "0", key)
      : Promise.resolve(0);
    const [reply] = await Promise.all([
      this.#connection.run(CLAIM, this.#headKeys(key), [
        ...[owner, leaseMs, force ? "1" : "0"],
        ...given,
      ]),
      indexed,
    ]);
    const [kind, value] = reply as readonly [Buffer, RedisReply];
    if (kind.toString() === "absent") return { kind: "absent" };
    if (kind.toString() === "busy") return { kind: "busy", leaseLeftMs: Number(value) };
    return { kind: "claimed", head: recordOf(value) };
  }

  async create(key: string, given: NewHead): Promise<boolean> {
    const [, reply] = await Promise.all([
      this.#connection.send("ZADD", this.#keys.indexOf(key), "0", key),
      this.#connection.run(CREATE, this.#headKeys(key), [
        ...[JSON.stringify(given.pools), given.pools.at(-1) ?? "", given.keys ?? NOTHING],
        ...[given.sizeBytes, given.state ? "1" : "0", given.state ?? NOTHING, ...given.deltas],
      ]),
    ]);
    return reply === 1;
  }

  async commit(key: string, commit: EngineCommit): Promise<boolean> {
    const { expected, counts, records, entries } = commit;
    const set = [...(entries?.set ?? [])].flat();
    if (set.length / 2 + (entries?.delete.length ?? 0) > MAX_CHANGED_ENTRIES)
      throw new StoreError(
        "TOO_LARGE",
        "store 'redis'",
        `a commit changes at most ${MAX_CHANGED_ENTRIES} entries. Use several commits`,
      );
    const groups = [
      commit.state ? [commit.state] : [],
      commit.deltas,
      records.events,
      records.transcript,
      entries?.clear ? ["1"] : [],
      entries?.delete ?? [],
      set,
      commit.blobs.flatMap(({ id, bytes }) => [Buffer.from(id, "hex"), bytes]),
    ];
    const reply = await this.#connection.run(
      COMMIT,
      [
        ...this.#headKeys(key),
        this.#keys.records(key, "events"),
        this.#keys.records(key, "transcript"),
        this.#keys.blobs(expected.pool),
      ],
      [
        ...[expected.version, expected.epoch, expected.pool, commit.leaseMs],
        ...[commit.recent.join(" "), commit.sizeBytes, counts.events + 1, counts.transcript + 1],
        ...groups.flatMap((group) => [group.length, ...group]),
      ],
    );
    return reply === 1;
  }

  async renew(key: string, epoch: number, leaseMs: number): Promise<boolean> {
    return (await this.#connection.run(RENEW, [this.#keys.head(key)], [epoch, leaseMs])) === 1;
  }

  async records(
    key: string,
    stream: StreamName,
    after: number,
    maxBytes: number,
  ): Promise<readonly Uint8Array[]> {
    const keys = [this.#keys.records(key, stream)];
    const reply = await this.#connection.run(RECORDS, keys, [after, Math.max(1, maxBytes)]);
    return reply as readonly Buffer[];
  }

  async entries(key: string): Promise<ReadonlyMap<string, Uint8Array>> {
    const fields = pairsOf(await this.#connection.send("HGETALL", this.#keys.head(key)));
    const generation = fields.find(([field]) => field === "g")?.[1].toString() ?? "";
    const prefix = `n${generation}:`;
    const entries = new Map<string, Uint8Array>();
    for (const [field, value] of fields)
      if (field.startsWith(prefix) && value[0] === "1".charCodeAt(0))
        entries.set(field.slice(prefix.length), value.subarray(1));
    return entries;
  }

  async list(prefix: string, after: string, limit: number): Promise<HeadPage> {
    const from = after === "" ? "-" : `(${after}`;
    const index = this.#keys.index(prefix);
    const range = await this.#connection.send(
      ...["ZRANGE", index, from, "+", "BYLEX", "LIMIT", "0", String(limit)],
    );
    const keys = (range as readonly Buffer[]).map((key) => key.toString());
    const loaded = await this.#connection.sendAll(
      keys.map((key) => ["HMGET", this.#keys.head(key), "v", "z", "c", "u", "l"]),
    );
    const nowMs = await this.#nowMs();
    const heads = keys.flatMap((key, index) => {
      const [version, size, created, updated, lease] = loaded[index] as readonly (Buffer | null)[];
      if (!version) return [];
      return [
        {
          key,
          version: Number(version),
          sizeBytes: Number(size),
          createdAtMs: Number(created),
          updatedAtMs: Number(updated),
          ageMs: nowMs - Number(updated),
          leaseLeftMs: Math.max(0, Number(lease) - nowMs),
        },
      ];
    });
    // The index may have keys without a head, so the page may be shorter than the limit before the end.
    return { heads, next: keys.length < limit ? undefined : keys.at(-1) };
  }

  async delete(key: string): Promise<void> {
    await this.#connection.send("UNLINK", this.#keys.head(key));
    await this.#connection.send(
      ...["UNLINK", this.#keys.deltas(key), this.#keys.records(key, "events")],
      this.#keys.records(key, "transcript"),
    );
    await this.#connection.send("ZREM", this.#keys.indexOf(key), key);
  }

  async swapKeys(key: string, expected: Uint8Array, keys: Uint8Array): Promise<boolean> {
    return (await this.#connection.run(SWAP_KEYS, [this.#keys.head(key)], [expected, keys])) === 1;
  }

  async join(pool: string, member: string, root: Uint8Array): Promise<void> {
    await this.#connection.send("HSET", this.#keys.members(pool), member, toArgument(root));
  }

  async members(pool: string): Promise<ReadonlyMap<string, Uint8Array>> {
    return new Map(pairsOf(await this.#connection.send("HGETALL", this.#keys.members(pool))));
  }

  async leave(pool: string, member: string): Promise<void> {
    await this.#connection.send("HDEL", this.#keys.members(pool), member);
  }

  close(): Promise<void> {
    return this.#close();
  }

  #headKeys(key: string): readonly string[] {
    return [this.#keys.head(key), this.#keys.deltas(key)];
  }

  async #nowMs(): Promise<number> {
    const [seconds, micros] = (await this.#connection.send("TIME")) as readonly Buffer[];
    return Number(seconds) * 1000 + Number(micros) / 1000;
  }
}

/** The reply alternates fields and values, or is a map in the newer protocol. */
function pairsOf(reply: RedisReply): (readonly [string, Buffer])[] {
  const flat = (Array.isArray(reply) ? reply : Object.entries(reply as object).flat()) as readonly (
    | Buffer
    | string
  )[];
  const pairs: (readonly [string, Buffer])[] = [];
  for (let index = 0; index < flat.length; index += 2)
    // A value follows each field.
    pairs.push([String(flat[index]), flat[index + 1] as Buffer]);
  return pairs;
}

function recordOf(reply: RedisReply): HeadRecord {
  const [fields, deltas] = reply as readonly [readonly (Buffer | number | null)[], RedisReply];
  const [version, epoch, pools, state, base, events, transcript, recent, size] = fields;
  const [, , , , , , , , , created, updated, lease, keys] = fields;
  return {
    version: Number(version),
    epoch: Number(epoch),
    // Only this engine writes the field.
    pools: JSON.parse(String(pools)) as readonly string[],
    state: (state as Buffer | null) ?? undefined,
    deltas: committedDeltas(deltas, Number(base), Number(version)),
    counts: { events: Number(events), transcript: Number(transcript) },
    recent: String(recent) === "" ? [] : String(recent).split(" "),
    sizeBytes: Number(size),
    createdAtMs: Number(created),
    updatedAtMs: Number(updated),
    leaseLeftMs: Number(lease),
    keys: keys && (keys as Buffer).length > 0 ? (keys as Buffer) : undefined,
  };
}

/** The deltas since the state, without the deltas of a script that stopped before it changed the head. */
function committedDeltas(reply: RedisReply, base: number, version: number): readonly Uint8Array[] {
  return pairsOf(reply)
    .map(([field, bytes]) => {
      const [at = 0, number = 0] = field.split(".").map(Number);
      return { at, number, bytes };
    })
    .filter(({ at }) => at >= base && at <= version)
    .sort((one, other) => one.at - other.at || one.number - other.number)
    .map(({ bytes }) => bytes);
}
