export type { EncryptionOptions } from "./encryption/key-ring.js";
export type { BlobRef } from "./engine/blob-ref.js";
export { contentIdOf } from "./engine/content-id.js";
export type { SqlStatement, StreamName } from "./engine/engine.js";
export { isStoreError, StoreError } from "./engine/store-error.js";
export { createStore } from "./key-value/create-store.js";
export { MemoryStorage } from "./key-value/memory-storage.js";
export type { Storage, StoredValue } from "./key-value/storage.js";
export type {
  BlobBatch,
  Changes,
  EntriesOptions,
  Head,
  HeadCommitOptions,
  HeadWriter,
  NewContent,
  RecordsOptions,
  StoreCallOptions,
  SweepReport,
  SweepRoot,
  Trace,
} from "./store/head.js";
export type {
  ForkOptions,
  HeadInfo,
  OpenOptions,
  RetentionPolicy,
  RetentionReport,
  Store,
  StoreOptions,
  TenantOptions,
} from "./store/store.js";
