import { StoreError } from "../engine/store-error.js";
import type { PostgresClient } from "./postgres-connection.js";
import { migratePostgres } from "./postgres-migrations.js";

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
    if (typeof value !== "string" || !/^[a-z_][a-z0-9_]{0,40}$/.test(value))
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

/** Creates the tables, or brings them to the current version. */
export function migrate(client: PostgresClient, tables: PostgresTables): Promise<void> {
  const { schema, meta } = tables;
  const steps = migrations(tables);
  return migratePostgres(client, {
    ...{ schema, meta, name: "version", subject: "store 'postgres'", steps },
  });
}
