import { isStoreError, StoreError } from "../engine/store-error.js";
import type { Storage } from "./storage.js";

/** Converts foreign errors of a storage to `UNKNOWN`, because the outcome of the call is not known. */
export function guardStorage(storage: Storage): Storage {
  const guard = async <T>(call: () => Promise<T>): Promise<T> => {
    try {
      return await call();
    } catch (error) {
      throw isStoreError(error)
        ? error
        : new StoreError("UNKNOWN", `store '${storage.name}'`, undefined, { cause: error });
    }
  };
  const { getMany, getRange } = storage;
  return {
    name: storage.name,
    get: (key, signal) => guard(() => storage.get(key, signal)),
    set: (key, bytes, signal) => guard(() => storage.set(key, bytes, signal)),
    add: (key, bytes, signal) => guard(() => storage.add(key, bytes, signal)),
    delete: (keys) => guard(async () => (keys.length > 0 ? storage.delete(keys) : undefined)),
    swap: (key, version, bytes) => guard(() => storage.swap(key, version, bytes)),
    async *keys(prefix) {
      const iterator = storage.keys(prefix)[Symbol.asyncIterator]();
      for (;;) {
        const next = await guard(() => iterator.next());
        if (next.done) return;
        yield next.value;
      }
    },
    ...(getMany && { getMany: (keys, signal) => guard(() => getMany.call(storage, keys, signal)) }),
    ...(getRange && {
      getRange: (key, offset, length, signal) =>
        guard(() => getRange.call(storage, key, offset, length, signal)),
    }),
    prepare: () => guard(async () => storage.prepare?.()),
    close: () => guard(async () => storage.close?.()),
  };
}
