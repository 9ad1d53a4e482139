export type { SqliteDatabase, SqliteStatement } from "./sqlite/sqlite-database.js";
export { type SqliteStoreOptions, sqliteStore } from "./sqlite/sqlite-store.js";
