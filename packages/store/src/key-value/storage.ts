/**
 * A key-value store that can hold heads: `createStore(storage)` makes a store from it.
 *
 * Keys consist of the letters `A-Z a-z 0-9 . _ - /`, have at most 1,000 of them, and are compared exactly. All methods
 * see what earlier calls wrote. A method that fails before anything was written should reject with
 * `new StoreError("UNREACHABLE", …)`, and one that refuses a large value with `"TOO_LARGE"`; any other error means that
 * the outcome is unknown.
 */
export interface Storage {
  readonly name: string;
  /** `undefined` when the key does not exist. */
  get(key: string, signal?: AbortSignal): Promise<StoredValue | undefined>;
  set(key: string, bytes: Uint8Array, signal?: AbortSignal): Promise<void>;
  /** Sets a key that does not exist. Resolves to its version; to `undefined`, and changes nothing, when it exists. */
  add(key: string, bytes: Uint8Array, signal?: AbortSignal): Promise<string | undefined>;
  /** Ignores keys that do not exist. */
  delete(keys: readonly string[]): Promise<void>;
  /** All keys that begin with `prefix`, in any order. */
  keys(prefix: string): AsyncIterable<string>;
  /**
   * Replaces the value of a key if it still has `version`. Resolves to its new version; to `undefined`, and changes
   * nothing, when it has another version or does not exist.
   */
  swap(key: string, version: string, bytes: Uint8Array): Promise<string | undefined>;
  /** Several values in one request. Keys that do not exist are not in the map. @default one `get` for each */
  getMany?(keys: readonly string[], signal?: AbortSignal): Promise<ReadonlyMap<string, Uint8Array>>;
  /**
   * A part of a value. With it, the contents of a commit are stored in one value instead of one for each.
   *
   * @default contents are stored one by one
   */
  getRange?(
    key: string,
    offset: number,
    length: number,
    signal?: AbortSignal,
  ): Promise<Uint8Array | undefined>;
  /** Checks the server. Called once, before the first other call. @default nothing to check */
  prepare?(): Promise<void>;
  close?(): Promise<void>;
}

/** A value and its version. A version is never used twice for one key. */
export interface StoredValue {
  readonly bytes: Uint8Array;
  readonly version: string;
}
