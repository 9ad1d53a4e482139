import { expect, it } from "vitest";
import { isStoreError, StoreError } from "../engine/store-error.js";
import { createStore } from "../key-value/create-store.js";
import { MemoryStorage } from "../key-value/memory-storage.js";
import type { Storage } from "../key-value/storage.js";
import { CommitHistory } from "./commit-history.test.support.js";

type Moment = "before" | "after" | "twice";

/** Fails at one call: before it is executed, after it, or executes it twice and returns the second answer. */
function faulty(
  storage: Storage,
  at: number,
  moment: Moment,
): { storage: Storage; calls: () => number } {
  let calls = 0;
  const call = async <T>(body: () => Promise<T>): Promise<T> => {
    const isNow = calls++ === at;
    if (isNow && moment === "before") throw new StoreError("UNREACHABLE", "store");
    const value = await body();
    if (isNow && moment === "after") throw new Error("the answer was lost");
    return isNow && moment === "twice" ? body() : value;
  };
  return {
    calls: () => calls,
    storage: {
      name: "faulty",
      get: (key) => call(() => storage.get(key)),
      set: (key, bytes) => call(() => storage.set(key, bytes)),
      add: (key, bytes) => call(() => storage.add(key, bytes)),
      delete: (keys) => call(() => storage.delete(keys)),
      keys: (prefix) => storage.keys(prefix),
      swap: (key, version, bytes) => call(() => storage.swap(key, version, bytes)),
    },
  };
}

async function run(at: number, moment: Moment): Promise<number> {
  const memory = new MemoryStorage();
  const { storage, calls } = faulty(memory, at, moment);
  const store = createStore(storage, { timeoutMs: 2000 });
  const history = new CommitHistory();
  const writer = await store.open("a");
  for (let number = 0; number < 4; number++) await history.commit(writer);
  await writer.commit({ entries: { set: { large: Buffer.alloc(20_000) } } });
  await writer.commit({ entries: { clear: true } });
  await writer.sweep(({ state }) => [
    Buffer.from(state ?? [])
      .toString()
      .split(" ")[1] ?? "",
  ]);
  await writer.close();
  expect(history.acknowledged).toHaveLength(4);
  await history.check(createStore(memory), "a");
  return calls();
}

it.each(["before", "after", "twice"] as const)(
  "a call of the storage that fails %s its execution changes nothing for the caller (STO-36, J233, J234, J243)",
  async (moment) => {
    const total = await run(-1, moment);
    expect(total).toBeGreaterThan(15);
    for (let at = 0; at < total; at++) await run(at, moment);
  },
);

it("a commit without an answer is UNKNOWN, and settle finds out and stops it (STO-40, J242)", async () => {
  const memory = new MemoryStorage();
  let late: (() => Promise<unknown>) | undefined;
  let isSilent = false;
  const silent: Storage = {
    name: "silent",
    get: (key) => (isSilent ? new Promise(() => {}) : memory.get(key)),
    set: (key, bytes) => memory.set(key, bytes),
    add: (key, bytes) => memory.add(key, bytes),
    delete: (keys) => memory.delete(keys),
    keys: (prefix) => memory.keys(prefix),
    swap(key, version, bytes) {
      if (!isSilent) return memory.swap(key, version, bytes);
      late = () => memory.swap(key, version, bytes);
      return new Promise(() => {});
    },
  };
  const store = createStore(silent, { timeoutMs: 30 });
  const writer = await store.open("a");
  isSilent = true;
  const failure = await writer
    .commit({ events: [Buffer.from("1")] }, { commitId: "one" })
    .catch((e) => e);
  expect(isStoreError(failure, "UNKNOWN")).toBe(true);
  await expect(writer.commit({})).rejects.toMatchObject({ code: "UNKNOWN" });
  isSilent = false;
  // The first call still waits for its answer, so another store takes over its part.
  const other = await createStore(silent).open("a", { takeOver: "always" });
  expect(await late?.()).toBeUndefined();
  expect(other.counts.events).toBe(0);
  await other.close();
});

it("the check of these tests finds commits that an unsafe storage loses (control)", async () => {
  const memory = new MemoryStorage();
  const unsafe: Storage = {
    name: "unsafe",
    get: (key) => memory.get(key),
    set: (key, bytes) => memory.set(key, bytes),
    add: (key, bytes) => memory.add(key, bytes),
    delete: (keys) => memory.delete(keys),
    keys: (prefix) => memory.keys(prefix),
    // Ignores the version, as some servers do.
    async swap(key, _, bytes) {
      await memory.set(key, bytes);
      return (await memory.get(key))?.version;
    },
  };
  const history = new CommitHistory();
  const first = await createStore(unsafe).open("a");
  await history.commit(first);
  const second = await createStore(unsafe).open("a", { takeOver: "always" });
  await history.commit(second);
  await history.commit(first);
  await expect(history.check(createStore(memory), "a")).rejects.toThrow("to deeply equal");
});
