import { StoreError } from "../engine/store-error.js";
import type { PostgresClient } from "./postgres-connection.js";

/** Tables, and the steps that bring them from one version to the next. A released step never changes. */
export interface PostgresMigrations {
  readonly schema: string;
  /** The table of versions. */
  readonly meta: string;
  /** The name of the version in that table. */
  readonly name: string;
  readonly subject: string;
  readonly steps: readonly string[];
}

/** Any number that other programs are unlikely to lock. */
const MIGRATION_LOCK = 7_309_453_172;

/** Creates the tables, or brings them to the current version. Concurrent processes wait for each other. */
export async function migratePostgres(
  client: PostgresClient,
  migrations: PostgresMigrations,
): Promise<void> {
  const { schema, meta, name, subject, steps } = migrations;
  if ((await versionOf(client, migrations)) === steps.length) return;
  await client.query("BEGIN");
  try {
    await client.query("SELECT pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
    await client.query(`CREATE SCHEMA IF NOT EXISTS "${schema}"`);
    await client.query(`CREATE TABLE IF NOT EXISTS ${meta} (name text PRIMARY KEY, value bigint)`);
    const version = (await versionOf(client, migrations)) ?? 0;
    if (version > steps.length)
      throw new StoreError(
        "ARGUMENT_INVALID",
        subject,
        `its tables have version ${version}, this package knows ${steps.length}. Update @wink/store`,
      );
    for (const step of steps.slice(version)) await client.query(step);
    await client.query(
      `INSERT INTO ${meta} (name, value) VALUES ($1, $2)
        ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
      [name, steps.length],
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
  { meta, name }: PostgresMigrations,
): Promise<number | undefined> {
  const { rows } = await client.query("SELECT to_regclass($1) IS NOT NULL AS found", [meta]);
  if (rows[0]?.["found"] !== true) return undefined;
  const stored = await client.query(`SELECT value FROM ${meta} WHERE name = $1`, [name]);
  return Number(stored.rows[0]?.["value"] ?? 0);
}
