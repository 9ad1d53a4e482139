import { checkStoreOptions } from "../engine/check-options.js";
import type { Engine } from "../engine/engine.js";
import { StoreError } from "../engine/store-error.js";
import { EngineStore } from "../store/engine-store.js";
import type { Store, StoreOptions } from "../store/store.js";
import { guardStorage } from "./guarded-storage.js";
import { KeyValueBlobs } from "./key-value-blobs.js";
import { KeyValueHeads } from "./key-value-heads.js";
import { PackedBlobs, type RangeStorage } from "./packed-blobs.js";
import type { Storage } from "./storage.js";

const METHODS = ["get", "set", "add", "delete", "keys", "swap"] as const;

/**
 * Makes a store from any key-value store with a compare-and-swap.
 *
 * Leases use the clock of this machine. A wrong clock can take a lease too early, but can never lose a commit.
 */
export function createStore(storage: Storage, options: StoreOptions = {}): Store {
  checkStoreOptions("createStore", options);
  return new EngineStore(keyValueEngine(storage), options);
}

export function keyValueEngine(storage: Storage): Engine {
  for (const method of METHODS)
    if (typeof storage?.[method] !== "function")
      throw new StoreError("ARGUMENT_INVALID", "storage", `it has no method ${method}`);
  if (typeof storage.name !== "string")
    throw new StoreError("ARGUMENT_INVALID", "storage", "its name must be a string");
  const guarded = guardStorage(storage);
  const blobs = hasRanges(guarded) ? new PackedBlobs(guarded) : new KeyValueBlobs(guarded);
  return { heads: new KeyValueHeads(guarded, blobs), blobs, commitsBlobs: true };
}

function hasRanges(storage: Storage): storage is RangeStorage {
  return storage.getRange !== undefined;
}
