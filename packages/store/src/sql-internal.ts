// For WINK's own packages, whose queues are in the same databases. It may change in any release.
export type { SqlStatement } from "./engine/engine.js";
export type { PostgresPool } from "./postgres/postgres-connection.js";
export { migratePostgres } from "./postgres/postgres-migrations.js";
export { PostgresServer } from "./postgres/postgres-server.js";
export type { SqliteDatabase } from "./sqlite/sqlite-database.js";
export { SqliteFile } from "./sqlite/sqlite-file.js";
export { migrateSqlite } from "./sqlite/sqlite-migrations.js";
export { retryWrite } from "./store/retry.js";
