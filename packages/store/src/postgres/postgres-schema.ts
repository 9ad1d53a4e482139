import { StoreError } from "../engine/store-error.js";
import type { PostgresClient } from "./postgres-connection.js";

/** The names of the tables, with their schema. */
export interface PostgresTables {
  readonly schema: string;
  readonly meta: string;
  readonly head: string;
  readonly delta: string;
  readonly record: string;
  readonly entry: string;
  readonly member: string;
  readonly blob: string;
}

export function tablesWith(schema: string, prefix: string): PostgresTables {
  for (const [name, value] of Object.entries({ schema, tablePrefix: prefix }))
    if (!/^[a-z_][a-z0-9_]{0,40}$/.test(value))
      throw new StoreError(
        "ARGUMENT_INVALID",
        name,
        "use lower case letters, digits and '_', and begin with a letter",
      );
  const table = (name: string) => `"${schema}"."${prefix}${name}"`;
  return {
    schema,
    meta: table("meta"),
    head: table("head"),
    delta: table("delta"),
    record: table("record"),
    entry: table("entry"),
    member: table("member"),
    blob: table("blob"),
  };
}

/**
 * Each step brings the tables from one version to the next. A released step never changes.
 *
 * Keys are compared as bytes, whatever the collation of the database is. Bytes are stored outside of the row and not
 * compressed, which is the fastest for contents.
 */
function migrations(t: PostgresTables): readonly string[] {
  const key = 'text COLLATE "C" NOT NULL';
  return [
    `CREATE TABLE ${t.head} (
      key ${key} PRIMARY KEY, version bigint NOT NULL, epoch bigint NOT NULL, pools text[] NOT NULL, pool ${key},
      state bytea, events bigint NOT NULL, transcript bigint NOT NULL, recent text[] NOT NULL, size bigint NOT NULL,
      created timestamptz NOT NULL DEFAULT clock_timestamp(), updated timestamptz NOT NULL DEFAULT clock_timestamp(),
      owner text NOT NULL DEFAULT '', lease_until timestamptz NOT NULL DEFAULT '-infinity', keys bytea)
      WITH (fillfactor = 50);
    CREATE TABLE ${t.delta} (
      key ${key}, version bigint NOT NULL, n int NOT NULL, bytes bytea NOT NULL, PRIMARY KEY (key, version, n));
    CREATE TABLE ${t.record} (
      key ${key}, stream text NOT NULL, n bigint NOT NULL, bytes bytea NOT NULL, PRIMARY KEY (key, stream, n));
    CREATE TABLE ${t.entry} (key ${key}, name bytea NOT NULL, value bytea NOT NULL, PRIMARY KEY (key, name));
    CREATE TABLE ${t.member} (pool ${key}, member ${key}, root bytea NOT NULL, PRIMARY KEY (pool, member));
    CREATE TABLE ${t.blob} (pool ${key}, id bytea NOT NULL, data bytea NOT NULL, PRIMARY KEY (pool, id));
    ALTER TABLE ${t.head} ALTER state SET STORAGE EXTERNAL;
    ALTER TABLE ${t.record} ALTER bytes SET STORAGE EXTERNAL;
    ALTER TABLE ${t.blob} ALTER data SET STORAGE EXTERNAL;`,
  ];
}

/** Any number that other programs are unlikely to lock. */
const MIGRATION_LOCK = 7_309_453_172;

/** Creates the tables, or brings them to the current version. Two processes that start together take turns. */
export async function migrate(client: PostgresClient, tables: PostgresTables): Promise<void> {
  const steps = migrations(tables);
  const { meta, schema } = tables;
  const current = await versionOf(client, tables);
  if (current === steps.length) return;
  await client.query("BEGIN");
  try {
    await client.query("SELECT pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
    await client.query(`CREATE SCHEMA IF NOT EXISTS "${schema}"`);
    await client.query(`CREATE TABLE IF NOT EXISTS ${meta} (name text PRIMARY KEY, value bigint)`);
    const version = (await versionOf(client, tables)) ?? 0;
    if (version > steps.length)
      throw new StoreError(
        "ARGUMENT_INVALID",
        "store 'postgres'",
        `its tables have version ${version}, this package knows ${steps.length}. Update @wink/store`,
      );
    for (const step of steps.slice(version)) await client.query(step);
    await client.query(
      `INSERT INTO ${meta} (name, value) VALUES ('version', $1)
        ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
      [steps.length],
    );
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  }
}

/** The version of the tables; `undefined` if there are none. */
async function versionOf(
  client: PostgresClient,
  { meta }: PostgresTables,
): Promise<number | undefined> {
  const { rows } = await client.query("SELECT to_regclass($1) IS NOT NULL AS found", [meta]);
  if (rows[0]?.["found"] !== true) return undefined;
  const stored = await client.query(`SELECT value FROM ${meta} WHERE name = 'version'`);
  return Number(stored.rows[0]?.["value"] ?? 0);
}
