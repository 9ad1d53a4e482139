import { StoreError } from "../engine/store-error.js";
import type { SqliteConnection } from "./sqlite-database.js";

/** Tables, and the steps that bring them from one version to the next. A released step never changes. */
export interface SqliteMigrations {
  /** The table of versions. */
  readonly meta: string;
  /** The name of the version in that table. */
  readonly name: string;
  readonly subject: string;
  readonly steps: readonly string[];
}

/** Creates the tables, or brings them to the current version. */
export function migrateSqlite(
  connection: SqliteConnection,
  { meta, name, subject, steps }: SqliteMigrations,
): void {
  connection.transaction(() => {
    connection.exec(`CREATE TABLE IF NOT EXISTS ${meta} (name TEXT PRIMARY KEY, value INTEGER)`);
    const row = connection.get(`SELECT value FROM ${meta} WHERE name = ?`, name);
    const version = Number(row?.["value"] ?? 0);
    if (version > steps.length)
      throw new StoreError(
        "ARGUMENT_INVALID",
        subject,
        `its tables have version ${version}, this package knows ${steps.length}. Update @wink/store`,
      );
    for (const step of steps.slice(version)) connection.exec(step);
    connection.run(
      `INSERT OR REPLACE INTO ${meta} (name, value) VALUES (?, ?)`,
      ...[name, steps.length],
    );
  });
}
