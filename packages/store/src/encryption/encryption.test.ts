import { describe, expect, it } from "vitest";
import { createStore } from "../key-value/create-store.js";
import { MemoryStorage } from "../key-value/memory-storage.js";
import { storeContract } from "../testing/store-contract.js";

const keyOf = (byte: number) => new Uint8Array(32).fill(byte);
const first = { keys: { first: keyOf(1) }, current: "first" };
const both = { keys: { first: keyOf(1), second: keyOf(2) }, current: "second" };
const second = { keys: { second: keyOf(2) }, current: "second" };
const SECRET = "the launch code is 0000";

const shared = new MemoryStorage();
storeContract("an encrypted store", () => createStore(shared, { encryption: first }));

async function fill(storage: MemoryStorage, id = "a"): Promise<string> {
  const writer = await createStore(storage, { encryption: first }).open(id);
  const bytes = new TextEncoder().encode(SECRET);
  const batch = await writer.place([{ bytes }]);
  await writer.commit({
    state: bytes,
    delta: bytes,
    events: [bytes],
    transcript: [bytes],
    entries: { set: { [SECRET]: bytes } },
    blobs: [batch],
  });
  await writer.close();
  return batch.refs[0] ?? "";
}

async function allBytes(storage: MemoryStorage): Promise<string> {
  const values: string[] = [];
  for await (const key of storage.keys(""))
    values.push(key, Buffer.from((await storage.get(key))?.bytes ?? []).toString("latin1"));
  return values.join("\n");
}

describe("an encrypted store", () => {
  it("stores no content, record, entry or hash of a content (STO-34)", async () => {
    const storage = new MemoryStorage();
    await fill(storage);
    const stored = await allBytes(storage);
    expect(stored).not.toContain("launch");
    const { createHash } = await import("node:crypto");
    expect(stored).not.toContain(createHash("sha256").update(SECRET).digest("hex"));
  });

  it("gives equal contents of two heads different ids and bytes (STO-34)", async () => {
    const storage = new MemoryStorage();
    const idOf = (ref: string) => ref.split("-")[2];
    expect(idOf(await fill(storage, "a"))).not.toBe(idOf(await fill(storage, "b")));
  });

  it("opens with a new key after its data keys were wrapped again, and no content changed (STO-35)", async () => {
    const storage = new MemoryStorage();
    const ref = await fill(storage);
    await createStore(storage, { encryption: first }).fork("a", "b");
    const contents = async () => {
      const found: string[] = [];
      for await (const key of storage.keys("b/"))
        found.push(key, (await storage.get(key))?.version ?? "");
      return found;
    };
    const before = await contents();
    expect(await createStore(storage, { encryption: both }).rewrapKeys()).toBe(2);
    expect(await createStore(storage, { encryption: both }).rewrapKeys()).toBe(0);
    expect(await contents()).toEqual(before);
    for (const id of ["a", "b"]) {
      const head = await createStore(storage, { encryption: second }).read(id);
      expect(Buffer.from((await head?.read([ref]))?.get(ref) ?? []).toString()).toBe(SECRET);
    }
    await expect(createStore(storage, { encryption: first }).read("a")).rejects.toMatchObject({
      message: "head 'a': it needs the key 'second'.",
    });
  });

  it("refuses a wrong key, no key, and a head without encryption (STO-35)", async () => {
    const storage = new MemoryStorage();
    await fill(storage);
    const wrong = { keys: { first: keyOf(9) }, current: "first" };
    await expect(createStore(storage, { encryption: wrong }).read("a")).rejects.toMatchObject({
      code: "ARGUMENT_INVALID",
    });
    await expect(createStore(storage).read("a")).rejects.toMatchObject({
      message: "head 'a': it is encrypted. Open it with the option encryption.",
    });
    await expect(createStore(storage, { encryption: wrong }).open("a")).rejects.toMatchObject({
      code: "ARGUMENT_INVALID",
    });
    // A process with a wrong key has not taken the lease.
    await (await createStore(storage, { encryption: { ...first } }).open("a")).close();
    await (await createStore(storage).open("plain")).close();
    await expect(createStore(storage, { encryption: first }).read("plain")).rejects.toMatchObject({
      code: "ARGUMENT_INVALID",
    });
    const short = { keys: { a: new Uint8Array(16) }, current: "a" };
    expect(() => createStore(storage, { encryption: short })).toThrow("key 'a' must have 32 bytes");
    expect(() => createStore(storage, { encryption: { ...first, current: "x" } })).toThrow(
      "current must be",
    );
  });

  it("notices changed bytes and values that were moved to another place (STO-34, J244)", async () => {
    const storage = new MemoryStorage();
    const ref = await fill(storage);
    let key = "";
    for await (const each of storage.keys("b/")) key = each;
    const stored = (await storage.get(key))?.bytes ?? new Uint8Array();
    const flipped = stored.slice();
    flipped[20] = (flipped[20] ?? 0) ^ 1;
    await storage.set(key, flipped);
    const head = await createStore(storage, { encryption: first }).read("a");
    await expect(head?.read([ref])).rejects.toMatchObject({ code: "CORRUPT_BLOB" });
  });
});
