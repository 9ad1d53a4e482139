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
import { toText } from "../engine/frames.js";
import { commitStatement } from "./commit-statement.js";
import type { PostgresConnection, PostgresRow } from "./postgres-connection.js";
import { migrate, type PostgresTables } from "./postgres-schema.js";

const MAX_RECORDS = 10_000;
const TIMES = `extract(epoch FROM created) * 1000 AS created_ms, extract(epoch FROM updated) * 1000 AS updated_ms,
  CASE WHEN lease_until = '-infinity' THEN 0
    ELSE extract(epoch FROM lease_until - clock_timestamp()) * 1000 END AS lease_left_ms`;
const COLUMNS = `version, epoch, pools, state, events, transcript, recent, size, keys, ${TIMES}`;

/** Heads in the tables of a PostgreSQL database. Each method is one statement, and so one round trip. */
export class PostgresHeads implements HeadEngine {
  readonly name = "postgres";
  readonly runsStatements = true;
  readonly #connection: PostgresConnection;
  readonly #tables: PostgresTables;
  readonly #close: () => Promise<void>;

  constructor(connection: PostgresConnection, tables: PostgresTables, close: () => Promise<void>) {
    this.#connection = connection;
    this.#tables = tables;
    this.#close = close;
  }

  async prepare(): Promise<void> {
    await this.#connection.use((client) => migrate(client, this.#tables));
  }

  async load(key: string): Promise<HeadRecord | undefined> {
    const { head } = this.#tables;
    const [row] = await this.#connection.query(
      `SELECT ${COLUMNS}, ${this.#deltas} AS deltas FROM ${head} WHERE key = $1`,
      [key],
    );
    return row && recordOf(row);
  }

  async claim(key: string, claim: Claim): Promise<ClaimOutcome> {
    const { head } = this.#tables;
    const lease = "clock_timestamp() + $3::float8 * interval '1 millisecond'";
    const change = "epoch = t.epoch + 1, owner = $2, lease_until = ";
    const isFree = "(t.lease_until <= clock_timestamp() OR t.owner = $2 OR $4::boolean)";
    const create = claim.create;
    const claimed = create
      ? `INSERT INTO ${head} AS t (key, version, epoch, pools, pool, events, transcript, recent, size, owner,
          lease_until, keys) VALUES ($1, 0, 1, $5::text[], $6, 0, 0, '{}', 0, $2, ${lease}, $7)
          ON CONFLICT (key) DO UPDATE SET ${change} ${lease} WHERE ${isFree} RETURNING t.*`
      : `UPDATE ${head} AS t SET ${change} ${lease} WHERE key = $1 AND ${isFree} RETURNING t.*`;
    const given = create
      ? [create.pools, create.pools.at(-1), create.keys && Buffer.from(create.keys)]
      : [];
    const rows = await this.#connection.query(
      `WITH c AS (${claimed})
        SELECT true AS claimed, ${COLUMNS}, ${this.#deltas} AS deltas FROM c
        UNION ALL SELECT false, ${COLUMNS}, NULL FROM ${head} WHERE key = $1 AND NOT EXISTS (SELECT 1 FROM c)`,
      [key, claim.owner, claim.leaseMs, claim.force, ...given],
    );
    const [row] = rows;
    if (row === undefined) return { kind: "absent" };
    if (row["claimed"] === true) return { kind: "claimed", head: recordOf(row) };
    return { kind: "busy", leaseLeftMs: Math.max(1, Number(row["lease_left_ms"])) };
  }

  async create(key: string, given: NewHead): Promise<boolean> {
    const { head, delta } = this.#tables;
    const buffer = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes);
    const rows = await this.#connection.query(
      `WITH c AS (INSERT INTO ${head} (key, version, epoch, pools, pool, state, events, transcript, recent, size, keys)
          VALUES ($1, 0, 0, $2::text[], $3, $4, 0, 0, '{}', $5, $6) ON CONFLICT DO NOTHING RETURNING key),
        d AS (INSERT INTO ${delta} (key, version, n, bytes)
          SELECT $1, 0, s.n, s.bytes FROM unnest($7::bytea[]) WITH ORDINALITY s(bytes, n) WHERE EXISTS (SELECT 1 FROM c))
        SELECT 1 FROM c`,
      [
        ...[key, given.pools, given.pools.at(-1), buffer(given.state), given.sizeBytes],
        ...[buffer(given.keys), given.deltas.map(buffer)],
      ],
    );
    return rows.length === 1;
  }

  async commit(key: string, commit: EngineCommit): Promise<boolean> {
    const { text, values } = commitStatement(this.#tables, key, commit);
    if (commit.statements.length === 0)
      return (await this.#connection.query(text, values)).length === 1;
    return this.#connection.use(async (client) => {
      await client.query("BEGIN");
      try {
        const { rows } = await client.query(text, [...values]);
        if (rows.length === 1)
          for (const statement of commit.statements)
            await client.query(statement.text, [...(statement.values ?? [])]);
        await client.query(rows.length === 1 ? "COMMIT" : "ROLLBACK");
        return rows.length === 1;
      } catch (error) {
        // A connection that is lost rolls back on the server.
        await client.query("ROLLBACK").catch(() => {});
        throw error;
      }
    });
  }

  async renew(key: string, epoch: number, leaseMs: number): Promise<boolean> {
    const rows = await this.#connection.query(
      `UPDATE ${this.#tables.head} SET lease_until = clock_timestamp() + $3::float8 * interval '1 millisecond'
        WHERE key = $1 AND epoch = $2 RETURNING 1`,
      [key, epoch, leaseMs],
    );
    return rows.length === 1;
  }

  async records(
    key: string,
    stream: StreamName,
    after: number,
    maxBytes: number,
  ): Promise<readonly Uint8Array[]> {
    const rows = await this.#connection.query(
      `SELECT bytes FROM (
          SELECT n, bytes, sum(length(bytes)) OVER (ORDER BY n) - length(bytes) AS before
          FROM ${this.#tables.record} WHERE key = $1 AND stream = $2 AND n > $3 ORDER BY n LIMIT ${MAX_RECORDS}) r
        WHERE before < $4 ORDER BY n`,
      [key, stream, after, Math.max(1, maxBytes)],
    );
    return rows.map(({ bytes }) => bytes as Uint8Array);
  }

  async entries(key: string): Promise<ReadonlyMap<string, Uint8Array>> {
    const sql = `SELECT name, value FROM ${this.#tables.entry} WHERE key = $1`;
    const rows = await this.#connection.query(sql, [key]);
    return new Map(
      rows.map(({ name, value }) => [toText(name as Uint8Array), value as Uint8Array]),
    );
  }

  async list(prefix: string, after: string, limit: number): Promise<HeadPage> {
    const rows = await this.#connection.query(
      `SELECT key, version, size, ${TIMES}, extract(epoch FROM clock_timestamp() - updated) * 1000 AS age_ms FROM ${this.#tables.head}
        WHERE key > $1 AND key < $2 AND key > $3 ORDER BY key LIMIT $4`,
      [prefix, `${prefix.slice(0, -1)}0`, after, limit],
    );
    const heads = rows.map((row) => ({
      key: String(row["key"]),
      version: Number(row["version"]),
      sizeBytes: Number(row["size"]),
      ageMs: Number(row["age_ms"]),
      ...timesOf(row),
    }));
    return { heads, next: heads.length < limit ? undefined : heads.at(-1)?.key };
  }

  async delete(key: string): Promise<void> {
    const { head, delta, record, entry } = this.#tables;
    const from = (table: string) => `DELETE FROM ${table} WHERE key = $1`;
    await this.#connection.query(
      `WITH d AS (${from(delta)}), r AS (${from(record)}), e AS (${from(entry)}) ${from(head)}`,
      [key],
    );
  }

  async swapKeys(key: string, expected: Uint8Array, keys: Uint8Array): Promise<boolean> {
    const rows = await this.#connection.query(
      `UPDATE ${this.#tables.head} SET keys = $3 WHERE key = $1 AND keys = $2 RETURNING 1`,
      [key, Buffer.from(expected), Buffer.from(keys)],
    );
    return rows.length === 1;
  }

  async join(pool: string, member: string, root: Uint8Array): Promise<void> {
    await this.#connection.query(
      `INSERT INTO ${this.#tables.member} (pool, member, root) VALUES ($1, $2, $3)
        ON CONFLICT (pool, member) DO UPDATE SET root = excluded.root`,
      [pool, member, Buffer.from(root)],
    );
  }

  async members(pool: string): Promise<ReadonlyMap<string, Uint8Array>> {
    const sql = `SELECT member, root FROM ${this.#tables.member} WHERE pool = $1`;
    const rows = await this.#connection.query(sql, [pool]);
    return new Map(rows.map(({ member, root }) => [String(member), root as Uint8Array]));
  }

  async leave(pool: string, member: string): Promise<void> {
    const sql = `DELETE FROM ${this.#tables.member} WHERE pool = $1 AND member = $2`;
    await this.#connection.query(sql, [pool, member]);
  }

  close(): Promise<void> {
    return this.#close();
  }

  get #deltas(): string {
    return `ARRAY(SELECT bytes FROM ${this.#tables.delta} WHERE key = $1 ORDER BY version, n)`;
  }
}

function timesOf(row: PostgresRow) {
  return {
    createdAtMs: Number(row["created_ms"]),
    updatedAtMs: Number(row["updated_ms"]),
    leaseLeftMs: Math.max(0, Number(row["lease_left_ms"])),
  };
}

function recordOf(row: PostgresRow): HeadRecord {
  return {
    version: Number(row["version"]),
    epoch: Number(row["epoch"]),
    // The types of the columns.
    pools: row["pools"] as readonly string[],
    state: (row["state"] as Uint8Array | null) ?? undefined,
    deltas: row["deltas"] as readonly Uint8Array[],
    counts: { events: Number(row["events"]), transcript: Number(row["transcript"]) },
    recent: row["recent"] as readonly string[],
    sizeBytes: Number(row["size"]),
    keys: (row["keys"] as Uint8Array | null) ?? undefined,
    ...timesOf(row),
  };
}
