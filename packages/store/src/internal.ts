// For WINK's own packages, whose queues are in the same databases. It may change in any release.
export type { SqlStatement } from "./engine/engine.js";
export type {
  PostgresClient,
  PostgresConnection,
  PostgresPool,
  PostgresPoolClient,
  PostgresRow,
} from "./postgres/postgres-connection.js";
export { migratePostgres, type PostgresMigrations } from "./postgres/postgres-migrations.js";
export { PostgresServer, type PostgresServerOptions } from "./postgres/postgres-server.js";
export type {
  SqliteConnection,
  SqliteDatabase,
  SqliteRow,
  SqliteStatement,
  SqliteValue,
} from "./sqlite/sqlite-database.js";
export { SqliteFile, type SqliteFileOptions } from "./sqlite/sqlite-file.js";
export { migrateSqlite, type SqliteMigrations } from "./sqlite/sqlite-migrations.js";
export { type Patience, retryWrite } from "./store/retry.js";
