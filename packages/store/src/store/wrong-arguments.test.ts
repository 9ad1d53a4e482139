import { expect, it } from "vitest";
import { isStoreError } from "../engine/store-error.js";
import { createStore } from "../key-value/create-store.js";
import { MemoryStorage } from "../key-value/memory-storage.js";
import { storeContract } from "../testing/store-contract.js";
import { openStore } from "../url/open-store.js";
import type { HeadWriter } from "./head.js";

/** The last one cannot be converted to a string. */
const ODD = [Symbol("a"), null, 1, 10n, Number.NaN, () => 1, new Date(0), Object.create(null)];

/** Calls of JavaScript, which has no types. */
const CALLS: Readonly<Record<string, (writer: HeadWriter, odd: never) => unknown>> = {
  "a content id": (writer, contentId) => writer.place([{ bytes: new Uint8Array(), contentId }]),
  "a part of a stream": (writer, part) =>
    writer.placeStream(
      (async function* () {
        yield part;
      })(),
    ),
  "entries to set": (writer, set) => writer.commit({ entries: { set: [set] as never } }),
  "the value of an entry": (writer, a) => writer.commit({ entries: { set: { a } } }),
  "the name of an entry": (writer, name) => writer.commit({ entries: { delete: [name] } }),
  "references of a sweep": (writer, references) => writer.sweep(() => references),
  "the first record": async (writer, after) => {
    for await (const _ of writer.records("transcript", { after: [after] as never })) break;
  },
  "the name of a storage": (_, name) =>
    createStore(Object.assign(new MemoryStorage(), { name: [name] as never })),
  "the name of a key": (_, current) =>
    createStore(new MemoryStorage(), { encryption: { keys: {}, current } }),
  "the environment": (_, odd) => openStore("s3://runs", { env: odd ?? null }),
};

it.each(Object.keys(CALLS))("A wrong value for %s is refused (STO-7)", async (name) => {
  const writer = await createStore(new MemoryStorage()).open("a");
  for (const odd of ODD) {
    const call = async () => await CALLS[name]?.(writer, odd as never);
    const error: unknown = await call().catch((thrown: unknown) => thrown);
    expect(isStoreError(error, "ARGUMENT_INVALID"), String(error)).toBe(true);
  }
  expect(writer.version).toBe(0);
  await writer.close();
});

const STORAGE: Readonly<Record<string, (storage: MemoryStorage, odd: never) => unknown>> = {
  "a key": (storage, key) => storage.set(key, new Uint8Array()),
  "the bytes to set": (storage, bytes) => storage.set("a", bytes),
  "the bytes to add": (storage, bytes) => storage.add("a", bytes),
  "keys to delete": (storage, keys) => storage.delete(keys),
  "keys to get": (storage, keys) => storage.getMany(keys),
  "a prefix": (storage, prefix) => storage.keys(prefix).next(),
};

it.each(Object.keys(STORAGE))(
  "MemoryStorage refuses a wrong value for %s (STO-7)",
  async (name) => {
    for (const odd of ODD) {
      const call = async () => await STORAGE[name]?.(new MemoryStorage(), odd as never);
      const error: unknown = await call().catch((thrown: unknown) => thrown);
      expect(isStoreError(error, "ARGUMENT_INVALID"), String(error)).toBe(true);
    }
  },
);

it("The contract names a factory that returns no store (STO-7)", async () => {
  const cases: (() => unknown)[] = [];
  const runner = {
    describe: (_: string, body: () => void) => body(),
    it: (_: string, body: () => unknown) => void cases.push(body),
  };
  storeContract("x", (() => undefined) as never, { runner });
  await expect(cases[0]?.()).rejects.toThrow("storeContract: the factory must return a store.");
});
