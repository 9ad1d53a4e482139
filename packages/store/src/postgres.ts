export type {
  PostgresClient,
  PostgresPool,
  PostgresPoolClient,
} from "./postgres/postgres-connection.js";
export { type PostgresStoreOptions, postgresStore } from "./postgres/postgres-store.js";
