import {
  type Claim,
  type ClaimOutcome,
  type EngineCommit,
  type HeadEngine,
  type HeadPage,
  type HeadRecord,
  type NewHead,
  STREAM_NAMES,
  type StreamName,
} from "../engine/engine.js";
import { toBytes, toText } from "../engine/frames.js";
import type { SqliteBlobs } from "./sqlite-blobs.js";
import { bytesOf, type SqliteConnection, type SqliteRow } from "./sqlite-database.js";
import type { SqliteTables } from "./sqlite-schema.js";

const MAX_RECORDS = 10_000;

/** Heads in the tables of a SQLite database. Each method is one transaction. */
export class SqliteHeads implements HeadEngine {
  readonly name = "sqlite";
  readonly runsStatements = false;
  readonly #open: () => Promise<SqliteConnection>;
  readonly #tables: SqliteTables;
  readonly #blobs: SqliteBlobs;
  readonly #close: () => Promise<void>;

  constructor(
    open: () => Promise<SqliteConnection>,
    tables: SqliteTables,
    blobs: SqliteBlobs,
    close: () => Promise<void>,
  ) {
    this.#open = open;
    this.#tables = tables;
    this.#blobs = blobs;
    this.#close = close;
  }

  async prepare(): Promise<void> {
    await this.#open();
  }

  async load(key: string): Promise<HeadRecord | undefined> {
    const db = await this.#open();
    // In a transaction, because another process may commit between two statements.
    return db.transaction(() => this.#load(db, key), "DEFERRED");
  }

  async claim(key: string, claim: Claim): Promise<ClaimOutcome> {
    const db = await this.#open();
    const { head } = this.#tables;
    return db.transaction((): ClaimOutcome => {
      const nowMs = Date.now();
      const found = db.get(`SELECT owner, lease_until FROM ${head} WHERE key = ?`, key);
      const leaseLeftMs = Number(found?.["lease_until"] ?? 0) - nowMs;
      if (found === undefined) {
        if (claim.create === undefined) return { kind: "absent" };
        this.#insert(db, key, claim.create);
      } else if (leaseLeftMs > 0 && !claim.force && found["owner"] !== claim.owner)
        return { kind: "busy", leaseLeftMs };
      db.run(
        `UPDATE ${head} SET epoch = epoch + 1, owner = ?, lease_until = ? WHERE key = ?`,
        ...[claim.owner, nowMs + claim.leaseMs, key],
      );
      // It was inserted or found above.
      return { kind: "claimed", head: this.#load(db, key) as HeadRecord };
    });
  }

  async create(key: string, given: NewHead): Promise<boolean> {
    const db = await this.#open();
    return db.transaction(() => {
      if (db.get(`SELECT 1 FROM ${this.#tables.head} WHERE key = ?`, key)) return false;
      this.#insert(db, key, given);
      return true;
    });
  }

  async commit(key: string, commit: EngineCommit): Promise<boolean> {
    const db = await this.#open();
    return db.transaction(() => this.#commit(db, key, commit));
  }

  async renew(key: string, epoch: number, leaseMs: number): Promise<boolean> {
    const db = await this.#open();
    const { head } = this.#tables;
    return db.transaction(() => {
      if (Number(db.get(`SELECT epoch FROM ${head} WHERE key = ?`, key)?.["epoch"]) !== epoch)
        return false;
      const until = leaseMs === 0 ? 0 : Date.now() + leaseMs;
      db.run(`UPDATE ${head} SET lease_until = ? WHERE key = ?`, until, key);
      return true;
    });
  }

  async records(
    key: string,
    stream: StreamName,
    after: number,
    maxBytes: number,
  ): Promise<readonly Uint8Array[]> {
    const db = await this.#open();
    const { record } = this.#tables;
    const where = "WHERE key = ? AND stream = ? AND n > ? ORDER BY n LIMIT ?";
    const sizes = db.all(
      `SELECT length(bytes) AS size FROM ${record} ${where}`,
      ...[key, stream, after, MAX_RECORDS],
    );
    let [count, total] = [0, 0];
    for (const { size } of sizes) {
      if (count > 0 && total >= maxBytes) break;
      count += 1;
      total += Number(size);
    }
    const rows = db.all(`SELECT bytes FROM ${record} ${where}`, key, stream, after, count);
    return rows.map(({ bytes }) => bytesOf(bytes));
  }

  async entries(key: string): Promise<ReadonlyMap<string, Uint8Array>> {
    const db = await this.#open();
    const rows = db.all(`SELECT name, value FROM ${this.#tables.entry} WHERE key = ?`, key);
    return new Map(rows.map(({ name, value }) => [toText(bytesOf(name)), bytesOf(value)]));
  }

  async list(prefix: string, after: string, limit: number): Promise<HeadPage> {
    const db = await this.#open();
    const rows = db.all(
      `SELECT key, version, size, created, updated, lease_until FROM ${this.#tables.head}
        WHERE key >= ? AND key < ? AND key > ? ORDER BY key LIMIT ?`,
      ...[prefix, endOf(prefix), after, limit],
    );
    const nowMs = Date.now();
    const heads = rows.map((row) => ({
      key: String(row["key"]),
      version: Number(row["version"]),
      sizeBytes: Number(row["size"]),
      createdAtMs: Number(row["created"]),
      updatedAtMs: Number(row["updated"]),
      ageMs: nowMs - Number(row["updated"]),
      leaseLeftMs: Math.max(0, Number(row["lease_until"]) - nowMs),
    }));
    return { heads, next: heads.length < limit ? undefined : heads.at(-1)?.key };
  }

  async delete(key: string): Promise<void> {
    const db = await this.#open();
    const { head, state, delta, record, entry } = this.#tables;
    db.transaction(() => {
      for (const table of [head, state, delta, record, entry])
        db.run(`DELETE FROM ${table} WHERE key = ?`, key);
    });
  }

  async swapKeys(key: string, expected: Uint8Array, keys: Uint8Array): Promise<boolean> {
    const db = await this.#open();
    const { head } = this.#tables;
    return db.transaction(() => {
      const sql = `SELECT 1 FROM ${head} WHERE key = ? AND keys = ?`;
      if (db.get(sql, key, expected) === undefined) return false;
      db.run(`UPDATE ${head} SET keys = ? WHERE key = ?`, keys, key);
      return true;
    });
  }

  async join(pool: string, member: string, root: Uint8Array): Promise<void> {
    const db = await this.#open();
    const sql = `INSERT OR REPLACE INTO ${this.#tables.member} (pool, member, root) VALUES (?, ?, ?)`;
    db.run(sql, pool, member, root);
  }

  async members(pool: string): Promise<ReadonlyMap<string, Uint8Array>> {
    const db = await this.#open();
    const rows = db.all(`SELECT member, root FROM ${this.#tables.member} WHERE pool = ?`, pool);
    return new Map(rows.map(({ member, root }) => [String(member), bytesOf(root)]));
  }

  async leave(pool: string, member: string): Promise<void> {
    const db = await this.#open();
    db.run(`DELETE FROM ${this.#tables.member} WHERE pool = ? AND member = ?`, pool, member);
  }

  close(): Promise<void> {
    return this.#close();
  }

  #insert(db: SqliteConnection, key: string, given: NewHead): void {
    const nowMs = Date.now();
    db.run(
      `INSERT INTO ${this.#tables.head} (key, version, epoch, pools, pool, events, transcript, recent, size,
        created, updated, owner, lease_until, keys) VALUES (?, 0, 0, ?, ?, 0, 0, '', ?, ?, ?, '', 0, ?)`,
      ...[key, JSON.stringify(given.pools), given.pools.at(-1) ?? ""],
      ...[given.sizeBytes, nowMs, nowMs, given.keys ?? null],
    );
    if (given.state !== undefined) this.#setState(db, key, given.state);
    this.#addDeltas(db, key, 0, given.deltas);
  }

  #setState(db: SqliteConnection, key: string, state: Uint8Array): void {
    db.run(`INSERT OR REPLACE INTO ${this.#tables.state} (key, bytes) VALUES (?, ?)`, key, state);
  }

  #addDeltas(db: SqliteConnection, key: string, version: number, deltas: readonly Uint8Array[]) {
    const sql = `INSERT INTO ${this.#tables.delta} (key, version, n, bytes) VALUES (?, ?, ?, ?)`;
    for (const [n, bytes] of deltas.entries()) db.run(sql, key, version, n, bytes);
  }

  #commit(db: SqliteConnection, key: string, commit: EngineCommit): boolean {
    const { head, delta, record } = this.#tables;
    const { expected, counts, records } = commit;
    const nowMs = Date.now();
    const changed = db.run(
      `UPDATE ${head} SET version = version + 1, events = ?, transcript = ?, recent = ?, size = ?, updated = ?,
        lease_until = ? WHERE key = ? AND version = ? AND epoch = ? AND pool = ?`,
      ...[counts.events + records.events.length, counts.transcript + records.transcript.length],
      ...[commit.recent.join(" "), commit.sizeBytes, nowMs, nowMs + commit.leaseMs],
      ...[key, expected.version, expected.epoch, expected.pool],
    );
    if (changed !== 1) return false;
    if (commit.state !== undefined) {
      this.#setState(db, key, commit.state);
      db.run(`DELETE FROM ${delta} WHERE key = ?`, key);
    }
    this.#addDeltas(db, key, expected.version + 1, commit.deltas);
    const insert = `INSERT INTO ${record} (key, stream, n, bytes) VALUES (?, ?, ?, ?)`;
    for (const stream of STREAM_NAMES)
      for (const [index, bytes] of records[stream].entries())
        db.run(insert, key, stream, counts[stream] + index + 1, bytes);
    this.#changeEntries(db, key, commit);
    this.#blobs.insert(db, expected.pool, commit.blobs);
    return true;
  }

  #changeEntries(db: SqliteConnection, key: string, { entries }: EngineCommit): void {
    if (entries === undefined) return;
    const { entry } = this.#tables;
    if (entries.clear) db.run(`DELETE FROM ${entry} WHERE key = ?`, key);
    for (const name of entries.delete)
      db.run(`DELETE FROM ${entry} WHERE key = ? AND name = ?`, key, toBytes(name));
    for (const [name, value] of entries.set)
      db.run(
        `INSERT OR REPLACE INTO ${entry} (key, name, value) VALUES (?, ?, ?)`,
        ...[key, toBytes(name), value],
      );
  }

  #load(db: SqliteConnection, key: string): HeadRecord | undefined {
    const { head, state, delta } = this.#tables;
    const row = db.get(
      `SELECT h.*, s.bytes AS state_bytes FROM ${head} h LEFT JOIN ${state} s ON s.key = h.key WHERE h.key = ?`,
      key,
    );
    if (row === undefined) return undefined;
    const deltas = db.all(`SELECT bytes FROM ${delta} WHERE key = ? ORDER BY version, n`, key);
    return recordOf(
      row,
      deltas.map(({ bytes }) => bytesOf(bytes)),
    );
  }
}

function recordOf(row: SqliteRow, deltas: readonly Uint8Array[]): HeadRecord {
  const bytesOrNot = (value: unknown) => (value === null ? undefined : bytesOf(value));
  return {
    version: Number(row["version"]),
    epoch: Number(row["epoch"]),
    // Only this engine writes the column.
    pools: JSON.parse(String(row["pools"])) as readonly string[],
    state: bytesOrNot(row["state_bytes"]),
    deltas,
    counts: { events: Number(row["events"]), transcript: Number(row["transcript"]) },
    recent: row["recent"] === "" ? [] : String(row["recent"]).split(" "),
    sizeBytes: Number(row["size"]),
    createdAtMs: Number(row["created"]),
    updatedAtMs: Number(row["updated"]),
    leaseLeftMs: Math.max(0, Number(row["lease_until"]) - Date.now()),
    keys: bytesOrNot(row["keys"]),
  };
}

/** The first text after all that begin with `prefix`, which ends with '/'. */
function endOf(prefix: string): string {
  return `${prefix.slice(0, -1)}0`;
}
