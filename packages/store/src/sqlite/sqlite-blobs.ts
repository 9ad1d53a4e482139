import type { BlobAddress, BlobEngine, EngineBlob, Fence, StoredObject } from "../engine/engine.js";
import { toHex } from "../engine/sha256.js";
import { bytesOf, type SqliteConnection } from "./sqlite-database.js";
import type { SqliteTables } from "./sqlite-schema.js";

const LIST_PAGE = 1000;

/** Contents in a table. The key is a number, because with the hash as key the table is five times slower. */
export class SqliteBlobs implements BlobEngine {
  readonly chunkBytes: number = 1024 * 1024;
  readonly batchBytes: number = 64 * 1024 * 1024;
  readonly #open: () => Promise<SqliteConnection>;
  readonly #tables: SqliteTables;
  /** Pools that were in the table before a transaction of this process, so that no rollback removes them. */
  readonly #known = new Set<string>();

  constructor(open: () => Promise<SqliteConnection>, tables: SqliteTables) {
    this.#open = open;
    this.#tables = tables;
  }

  place(blobs: readonly unknown[]): readonly undefined[] {
    return blobs.map(() => undefined);
  }

  async put(pool: string, blobs: readonly EngineBlob[]): Promise<void> {
    const db = await this.#open();
    db.transaction(() => this.insert(db, pool, blobs));
  }

  /** Stores blobs in the transaction of the caller. */
  insert(db: SqliteConnection, pool: string, blobs: readonly EngineBlob[]): void {
    if (blobs.length === 0) return;
    const { pool: pools, blob } = this.#tables;
    // A pool without a head can be dropped. Then nothing is inserted, and the commit of its writer fails.
    if (
      !this.#known.has(pool) &&
      db.run(`INSERT OR IGNORE INTO ${pools} (name) VALUES (?)`, pool) === 0
    )
      this.#known.add(pool);
    const sql = `INSERT OR IGNORE INTO ${blob} (pool, id, data) SELECT n, ?, ? FROM ${pools} WHERE name = ?`;
    db.runAll(sql, blobs, ({ id, bytes }) => [Buffer.from(id, "hex"), bytes, pool]);
  }

  async get(pool: string, blobs: readonly BlobAddress[]): Promise<ReadonlyMap<string, Uint8Array>> {
    const db = await this.#open();
    const number = this.#numberOf(db, pool);
    if (number === undefined) return new Map();
    // CROSS JOIN keeps the order: otherwise SQLite may read the whole list for each blob of the pool.
    const rows = db.all(
      `SELECT j.value AS id, b.data AS data FROM json_each(?) j
        CROSS JOIN ${this.#tables.blob} b WHERE b.pool = ? AND b.id = unhex(j.value)`,
      ...[JSON.stringify(blobs.map(({ id }) => id)), number],
    );
    return new Map(rows.map(({ id, data }) => [String(id), bytesOf(data)]));
  }

  objectOf({ id }: BlobAddress): string {
    return id;
  }

  async *list(pool: string): AsyncGenerator<readonly StoredObject[]> {
    const db = await this.#open();
    const number = this.#numberOf(db, pool);
    if (number === undefined) return;
    const sql = `SELECT n, id, length(data) AS size FROM ${this.#tables.blob}
      WHERE pool = ? AND n > ? ORDER BY n LIMIT ?`;
    for (let after = -1, isLast = false; !isLast; ) {
      const rows = db.all(sql, number, after, LIST_PAGE);
      yield rows.map(({ id, size }) => ({ name: toHex(bytesOf(id)), sizeBytes: Number(size) }));
      after = Number(rows.at(-1)?.["n"] ?? after);
      isLast = rows.length < LIST_PAGE;
    }
  }

  async delete(pool: string, objects: readonly string[], fence: Fence): Promise<boolean> {
    const db = await this.#open();
    const { head, blob } = this.#tables;
    return db.transaction(() => {
      const sql = `SELECT 1 FROM ${head} WHERE key = ? AND epoch = ?`;
      if (db.get(sql, fence.key, fence.epoch) === undefined) return false;
      db.run(
        `DELETE FROM ${blob} WHERE pool = ? AND id IN (SELECT unhex(value) FROM json_each(?))`,
        ...[this.#numberOf(db, pool) ?? -1, JSON.stringify(objects)],
      );
      return true;
    });
  }

  async drop(pool: string): Promise<void> {
    const db = await this.#open();
    const { blob, pool: pools } = this.#tables;
    db.transaction(() => {
      db.run(`DELETE FROM ${blob} WHERE pool = ?`, this.#numberOf(db, pool) ?? -1);
      db.run(`DELETE FROM ${pools} WHERE name = ?`, pool);
    });
  }

  async *pools(prefix: string): AsyncGenerator<string> {
    const db = await this.#open();
    const sql = `SELECT name FROM ${this.#tables.pool} WHERE name >= ? AND name < ? ORDER BY name`;
    for (const { name } of db.all(sql, prefix, `${prefix.slice(0, -1)}0`)) yield String(name);
  }

  #numberOf(db: SqliteConnection, pool: string): number | undefined {
    const row = db.get(`SELECT n FROM ${this.#tables.pool} WHERE name = ?`, pool);
    return row && Number(row["n"]);
  }
}
