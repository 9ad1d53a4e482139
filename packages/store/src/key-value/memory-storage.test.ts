import { storeContract } from "../testing/store-contract.js";
import { createStore } from "./create-store.js";
import { MemoryStorage } from "./memory-storage.js";
import type { Storage } from "./storage.js";

const plain = new MemoryStorage();
storeContract("a store in memory", () => createStore(plain));

/** The same with ranges, so that contents are stored in packs. */
class PackStorage extends MemoryStorage {
  async getRange(key: string, offset: number, length: number): Promise<Uint8Array | undefined> {
    return (await this.get(key))?.bytes.subarray(offset, offset + length);
  }
}

const packed = new PackStorage();
storeContract("a store in memory with packs", () => createStore(packed));

/** Only the required methods. */
function minimal(storage: Storage): Storage {
  return {
    name: "minimal",
    get: (key) => storage.get(key),
    set: (key, bytes) => storage.set(key, bytes),
    add: (key, bytes) => storage.add(key, bytes),
    delete: (keys) => storage.delete(keys),
    keys: (prefix) => storage.keys(prefix),
    swap: (key, version, bytes) => storage.swap(key, version, bytes),
  };
}

const small = minimal(new MemoryStorage());
storeContract("a store with only the required methods", () => createStore(small));
