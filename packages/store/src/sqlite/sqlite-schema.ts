import { StoreError } from "../engine/store-error.js";
import type { SqliteConnection } from "./sqlite-database.js";
import { migrateSqlite } from "./sqlite-migrations.js";

/** The names of the tables. */
export interface SqliteTables {
  readonly meta: string;
  readonly head: string;
  readonly state: string;
  readonly delta: string;
  readonly record: string;
  readonly entry: string;
  readonly member: string;
  readonly pool: string;
  readonly blob: string;
}

export function tablesWith(prefix: string): SqliteTables {
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,40}$/.test(prefix))
    throw new StoreError(
      "ARGUMENT_INVALID",
      "tablePrefix",
      "use letters, digits and '_', and begin with a letter",
    );
  return {
    meta: `${prefix}meta`,
    head: `${prefix}head`,
    state: `${prefix}state`,
    delta: `${prefix}delta`,
    record: `${prefix}record`,
    entry: `${prefix}entry`,
    member: `${prefix}member`,
    pool: `${prefix}pool`,
    blob: `${prefix}blob`,
  };
}

/** Each step brings the tables from one version to the next. A released step never changes. */
function migrations(t: SqliteTables): readonly string[] {
  return [
    `CREATE TABLE ${t.head} (
      key TEXT PRIMARY KEY, version INTEGER NOT NULL, epoch INTEGER NOT NULL, pools TEXT NOT NULL, pool TEXT NOT NULL,
      state BLOB, events INTEGER NOT NULL, transcript INTEGER NOT NULL, recent TEXT NOT NULL, size INTEGER NOT NULL,
      created INTEGER NOT NULL, updated INTEGER NOT NULL, owner TEXT NOT NULL, lease_until INTEGER NOT NULL, keys BLOB);
    CREATE TABLE ${t.delta} (
      key TEXT NOT NULL, version INTEGER NOT NULL, n INTEGER NOT NULL, bytes BLOB NOT NULL,
      PRIMARY KEY (key, version, n)) WITHOUT ROWID;
    CREATE TABLE ${t.record} (
      key TEXT NOT NULL, stream TEXT NOT NULL, n INTEGER NOT NULL, bytes BLOB NOT NULL,
      PRIMARY KEY (key, stream, n)) WITHOUT ROWID;
    CREATE TABLE ${t.entry} (
      key TEXT NOT NULL, name BLOB NOT NULL, value BLOB NOT NULL, PRIMARY KEY (key, name));
    CREATE TABLE ${t.member} (
      pool TEXT NOT NULL, member TEXT NOT NULL, root BLOB NOT NULL, PRIMARY KEY (pool, member));
    CREATE TABLE ${t.pool} (n INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE ${t.blob} (
      n INTEGER PRIMARY KEY, pool INTEGER NOT NULL, id BLOB NOT NULL, data BLOB NOT NULL, UNIQUE (pool, id));`,
    // A commit changes the row of the head, and SQLite would write the state again with it.
    `CREATE TABLE ${t.state} (key TEXT PRIMARY KEY, bytes BLOB NOT NULL);
    INSERT INTO ${t.state} (key, bytes) SELECT key, state FROM ${t.head} WHERE state IS NOT NULL;
    UPDATE ${t.head} SET state = NULL;`,
  ];
}

/** Creates the tables, or brings them to the current version. */
export function migrate(connection: SqliteConnection, tables: SqliteTables): void {
  const steps = migrations(tables);
  migrateSqlite(connection, {
    ...{ meta: tables.meta, name: "version", subject: "store 'sqlite'", steps },
  });
}
