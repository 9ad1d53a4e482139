import { expect, it } from "vitest";
import { createStore } from "../key-value/create-store.js";
import { MemoryStorage } from "../key-value/memory-storage.js";
import { postgresStore } from "../postgres/postgres-store.js";
import { sqliteStore } from "../sqlite/sqlite-store.js";
import type { OpenOptions, StoreOptions } from "./store.js";

it("Options with a wrong value are refused by name (STO-7)", async () => {
  const of = (options: unknown) => () => createStore(new MemoryStorage(), options as StoreOptions);
  expect(of({ maxHeadBytes: "10MB" })).toThrow(
    "createStore: option 'maxHeadBytes' must be a number, got a string.",
  );
  expect(of({ maxHeadByte: 1 })).toThrow(
    "createStore: unknown option 'maxHeadByte'. Did you mean 'maxHeadBytes'?",
  );
  expect(of({ maxHeads: -1 })).toThrow("maxHeads: expected a number from 0, got -1.");
  expect(of({ timeoutMs: Number.POSITIVE_INFINITY })).toThrow(
    "timeoutMs: expected a number from 1 to 2147483647, got Infinity.",
  );
  const ofTenant = { maxHeadBytes: "10MB" } as never;
  expect(() => createStore(new MemoryStorage()).tenant("a", ofTenant)).toThrow("maxHeadBytes");
  expect(() => sqliteStore("a.db", { synchronous: "off" as never })).toThrow(
    'synchronous: expected "full" or "normal", got \'off\'.',
  );
  expect(() => sqliteStore("a.db", { processes: "two" as never })).toThrow("processes: expected");
  expect(() => postgresStore("postgres://a/b", { maxConnections: 0 })).toThrow(
    "maxConnections: expected a number from 1, got 0.",
  );
  const store = createStore(new MemoryStorage());
  const opened = (options: unknown) => store.open("a", options as OpenOptions);
  await expect(opened({ durability: "turns" })).rejects.toThrow(
    'durability: expected "call" or "turn", got \'turns\'.',
  );
  await expect(opened({ takeOver: true })).rejects.toThrow(
    'takeOver: expected "expired" or "always", got a boolean.',
  );
  await expect(opened({ create: "no" })).rejects.toThrow("create: expected true or false");
  await expect(opened({ leaseMs: "5s" })).rejects.toThrow("option 'leaseMs' must be a number");
  await expect(opened({ signal: 5 })).rejects.toThrow(
    "open: option 'signal' must be an AbortSignal, got a number.",
  );
  await expect(store.prune({ dryRun: "yes" as never })).rejects.toThrow("dryRun: expected");
  await (await store.open("a")).close();
});

it("An aborted open does not keep the lease (STO-12, STO-13)", async () => {
  const controller = new AbortController();
  const { signal } = controller;
  let ended = () => {};
  const released = new Promise<void>((resolve) => {
    ended = resolve;
  });
  class SlowStorage extends MemoryStorage {
    override add(key: string, bytes: Uint8Array) {
      controller.abort(new Error("too slow"));
      return super.add(key, bytes);
    }
    override async swap(key: string, version: string, bytes: Uint8Array) {
      const swapped = await super.swap(key, version, bytes);
      ended();
      return swapped;
    }
  }
  const storage = new SlowStorage();
  await expect(createStore(storage).open("a", { signal })).rejects.toThrow("too slow");
  await released;
  await (await createStore(storage).open("a")).close();
});
