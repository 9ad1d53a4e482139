import type { BlobAddress, BlobEngine, EngineBlob, Fence, StoredObject } from "../engine/engine.js";
import { JoinedBytes } from "./joined-bytes.js";
import type { PostgresConnection } from "./postgres-connection.js";
import type { PostgresTables } from "./postgres-schema.js";

const LIST_PAGE = 1000;
/** All ids in one binary parameter of 32 bytes each. */
const IDS =
  "(SELECT substring($2::bytea FROM o FOR 32) FROM generate_series(1, length($2::bytea), 32) o)";

/** Contents in a table. */
export class PostgresBlobs implements BlobEngine {
  readonly chunkBytes: number = 1024 * 1024;
  readonly batchBytes: number = 4 * 1024 * 1024;
  readonly #connection: PostgresConnection;
  readonly #tables: PostgresTables;

  constructor(connection: PostgresConnection, tables: PostgresTables) {
    this.#connection = connection;
    this.#tables = tables;
  }

  place(blobs: readonly unknown[]): readonly undefined[] {
    return blobs.map(() => undefined);
  }

  async put(pool: string, blobs: readonly EngineBlob[]): Promise<void> {
    const data = new JoinedBytes();
    // In one order, so that two writers do not wait for each other.
    const sorted = [...blobs].sort((one, other) => (one.id < other.id ? -1 : 1));
    const { offsets, lengths } = data.addAll(sorted.map(({ bytes }) => bytes));
    await this.#connection.query(
      `INSERT INTO ${this.#tables.blob} (pool, id, data)
        SELECT $1, substring($2::bytea FROM (s.n::int - 1) * 32 + 1 FOR 32), substring($3::bytea FROM s.o FOR s.l)
        FROM unnest($4::int[], $5::int[]) WITH ORDINALITY s(o, l, n) ON CONFLICT DO NOTHING`,
      [pool, joinIds(sorted.map(({ id }) => id)), data.join(), offsets, lengths],
    );
  }

  async get(pool: string, blobs: readonly BlobAddress[]): Promise<ReadonlyMap<string, Uint8Array>> {
    const rows = await this.#connection.query(
      `SELECT encode(id, 'hex') AS id, data FROM ${this.#tables.blob} WHERE pool = $1 AND id IN ${IDS}`,
      [pool, joinIds(blobs.map(({ id }) => id))],
    );
    return new Map(rows.map(({ id, data }) => [String(id), data as Uint8Array]));
  }

  objectOf({ id }: BlobAddress): string {
    return id;
  }

  async *list(pool: string): AsyncGenerator<readonly StoredObject[]> {
    const sql = `SELECT encode(id, 'hex') AS id, length(data) AS size FROM ${this.#tables.blob}
      WHERE pool = $1 AND id > decode($2, 'hex') ORDER BY id LIMIT $3`;
    for (let after = "", isLast = false; !isLast; ) {
      const rows = await this.#connection.query(sql, [pool, after, LIST_PAGE]);
      yield rows.map(({ id, size }) => ({ name: String(id), sizeBytes: Number(size) }));
      after = String(rows.at(-1)?.["id"] ?? after);
      isLast = rows.length < LIST_PAGE;
    }
  }

  async delete(pool: string, objects: readonly string[], { key, epoch }: Fence): Promise<boolean> {
    const { head, blob } = this.#tables;
    const rows = await this.#connection.query(
      `WITH h AS (SELECT 1 FROM ${head} WHERE key = $3 AND epoch = $4 FOR UPDATE),
        d AS (DELETE FROM ${blob} WHERE pool = $1 AND id IN ${IDS} AND EXISTS (SELECT 1 FROM h))
        SELECT 1 FROM h`,
      [pool, joinIds(objects), key, epoch],
    );
    return rows.length === 1;
  }

  async drop(pool: string): Promise<void> {
    await this.#connection.query(`DELETE FROM ${this.#tables.blob} WHERE pool = $1`, [pool]);
  }

  async *pools(prefix: string): AsyncGenerator<string> {
    // The next pool is the first key after the last one: the index finds it without reading the contents.
    const sql = `SELECT pool FROM ${this.#tables.blob} WHERE pool > $1 AND pool < $2 ORDER BY pool LIMIT 1`;
    const end = `${prefix.slice(0, -1)}0`;
    for (let after = prefix; ; ) {
      const [row] = await this.#connection.query(sql, [after, end]);
      if (row === undefined) return;
      after = String(row["pool"]);
      yield after;
    }
  }
}

function joinIds(ids: readonly string[]): Buffer {
  return Buffer.from(ids.join(""), "hex");
}
