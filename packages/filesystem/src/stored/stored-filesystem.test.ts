import { createStore, MemoryStorage, type Storage } from "@wink/store";
import { describe, expect, it } from "vitest";
import { InMemoryFilesystem } from "../backend/in-memory-filesystem.js";
import type { SnapshotableFilesystem } from "../snapshots/filesystem-snapshot.js";
import { Random } from "../testing/differential/random.test.support.js";
import { StoredFilesystem } from "./stored-filesystem.js";

const seed = Number(process.env["WINK_SEED"] ?? Math.floor(Math.random() * 2 ** 32));

/** A storage that can fail before or after it stores a head. */
function breakable() {
  const memory = new MemoryStorage();
  const faults: { swap?: "before" | "after" } = {};
  const storage: Storage = {
    name: "breakable",
    get: (key) => memory.get(key),
    set: (key, bytes) => memory.set(key, bytes),
    add: (key, bytes) => memory.add(key, bytes),
    delete: (keys) => memory.delete(keys),
    keys: (prefix) => memory.keys(prefix),
    async swap(key, version, bytes) {
      if (faults.swap === "before") throw new Error("connection reset");
      const swapped = await memory.swap(key, version, bytes);
      if (faults.swap === "after") throw new Error("connection reset");
      return swapped;
    },
  };
  return { faults, store: createStore(storage, { timeoutMs: 20 }) };
}

/** Every path with its content, mode and time. */
async function stateOf(files: SnapshotableFilesystem): Promise<Record<string, unknown>> {
  const state: Record<string, unknown> = {};
  for (const { path } of await files.glob("**", { directories: true })) {
    const { kind, mode, modifiedAt } = await files.stat(path, { followLinks: false });
    const content = kind === "file" ? (await files.read(path)).content : kind;
    state[path] = [content, mode, modifiedAt];
  }
  return state;
}

async function writeMany(files: SnapshotableFilesystem, count: number): Promise<void> {
  await files.transact(async (inside) => {
    for (let index = 0; index < count; index++)
      await inside.write(`d${index % 20}/f${index}.txt`, `file ${index}\n`);
  });
}

describe("a stored filesystem", () => {
  it("stores each call and each transaction in one commit, and nothing for a rollback (STO-42)", async () => {
    const store = createStore(new MemoryStorage());
    await using files = await StoredFilesystem.open(store, "files");
    await files.write("a/b/c.txt", "1");
    expect(files.version).toBe(1);
    await writeMany(files, 300);
    expect(files.version).toBe(2);
    await files.move("d1", "moved");
    await files.read("a/b/c.txt");
    expect(files.version).toBe(3);
    const failing = files.transact(async (inside) => {
      await inside.write("x", "1");
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(files.version).toBe(3);
    expect(await files.exists("x")).toBe(false);
  });

  it("has a bounded number of deltas, however often one file changes (STO-42)", async () => {
    const store = createStore(new MemoryStorage());
    {
      await using files = await StoredFilesystem.open(store, "a");
      for (let index = 0; index < 300; index++) await files.write("a.txt", `${index}`);
    }
    const head = await store.read("a");
    expect(head?.version).toBe(300);
    expect(head?.deltas.length).toBeLessThanOrEqual(128);
    await using again = await StoredFilesystem.open(store, "a");
    expect((await again.read("a.txt")).content).toBe("299");
  });

  it("has the same files after it is opened again, whatever changed in between (STO-41)", async () => {
    console.log(`stored files: WINK_SEED=${seed}`);
    const random = new Random(seed);
    const store = createStore(new MemoryStorage());
    let now = 1_700_000_000_000;
    const clock = () => now;
    const model = new InMemoryFilesystem({ clock });
    let files = await StoredFilesystem.open(store, "files", { clock });
    for (const each of [files, model]) await writeMany(each, 900);
    for (let round = 0; round < 6; round++) {
      const changes = random.pick([1, 5, 60, 200]);
      now += 1_000;
      const steps = Array.from({ length: changes }, () => ({
        path: `d${random.below(25)}/f${random.below(1_000)}.txt`,
        kind: random.below(10),
        text: `${random.below(1_000)}`,
      }));
      for (const each of [files, model])
        await each.transact(async (inside) => {
          for (const { path, kind, text } of steps) {
            const exists = await inside.exists(path);
            if (kind < 6 || !exists) await inside.write(path, text);
            else if (kind < 8) await inside.delete(path);
            else if (kind === 8) await inside.chmod(path, 0o600);
            else await inside.delete(path.slice(0, path.indexOf("/")), { recursive: true });
          }
        });
      await files.close();
      files = await StoredFilesystem.open(store, "files", { clock });
      expect(await stateOf(files)).toEqual(await stateOf(model));
    }
    await files.close();
  });

  it("restores and compares snapshots of an earlier process (STO-43)", async () => {
    const store = createStore(new MemoryStorage());
    const first = await StoredFilesystem.open(store, "files");
    await writeMany(first, 400);
    const before = await first.snapshot({ name: "before" });
    const expected = await stateOf(first);
    await first.delete("d3", { recursive: true });
    await first.write("d4/f4.txt", "changed");
    await first.snapshot({ tag: "after" });
    await first.close();

    await using second = await StoredFilesystem.open(store, "files");
    expect(await second.snapshots()).toMatchObject([{ tag: "after" }, { name: "before" }]);
    const changes = await second.diff(before);
    expect(changes.files).toHaveLength(21);
    const { version } = second;
    await second.restore(before);
    expect(second.version).toBe(version + 1);
    expect(await stateOf(second)).toEqual(expected);
    expect(await second.verify()).toMatchObject({ snapshotCount: 2, damaged: [] });
    await second.deleteSnapshot(before);
    expect(await second.snapshots()).toHaveLength(1);
  });

  it("keeps a snapshot that is taken in a transaction that is rolled back (STO-43)", async () => {
    const store = createStore(new MemoryStorage());
    const files = await StoredFilesystem.open(store, "files");
    const failing = files.transact(async (inside) => {
      await inside.write("x", "1");
      await inside.snapshot({ name: "inside" });
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    await files.close();
    await using again = await StoredFilesystem.open(store, "files");
    expect(await again.exists("x")).toBe(false);
    const [inside] = await again.snapshots();
    await again.restore(inside as NonNullable<typeof inside>);
    expect((await again.read("x")).content).toBe("1");
  });

  it("uses the hash of the content as revision, so that ifRevision holds in another process (STO-44)", async () => {
    const store = createStore(new MemoryStorage());
    const first = await StoredFilesystem.open(store, "files");
    const { revision } = await first.write("a", "1");
    expect(revision).toBe(await first.contentId("a"));
    await first.close();
    await using second = await StoredFilesystem.open(store, "files");
    await expect(second.write("a", "2", { ifRevision: "0".repeat(64) })).rejects.toMatchObject({
      code: "ESTALE",
    });
    await second.write("a", "2", { ifRevision: revision });
  });

  it("stores a large file while it arrives, and reads only the parts that are needed (STO-45)", async () => {
    const store = createStore(new MemoryStorage());
    const first = await StoredFilesystem.open(store, "files");
    const part = new Uint8Array(1024 * 1024);
    const writer = await first.openWrite("large.bin");
    for (let index = 0; index < 6; index++) await writer.write(part.fill(index));
    await writer.close();
    const appending = await first.openWrite("large.bin", { mode: "append" });
    await appending.write(Uint8Array.of(9, 9));
    await appending.close();
    expect(first.version).toBe(2);
    await first.close();

    await using second = await StoredFilesystem.open(store, "files", { cacheBytes: 0 });
    await using reader = await second.openRead("large.bin", { offset: 5 * 1024 * 1024 - 1 });
    expect(await reader.read(2)).toEqual(Uint8Array.of(4, 5));
    reader.seek(6 * 1024 * 1024);
    expect(await reader.read(10)).toEqual(Uint8Array.of(9, 9));
    const { content } = await second.readBytes("large.bin", { offset: 1024 * 1024, limit: 3 });
    expect(content).toEqual(Uint8Array.of(1, 1, 1));
  });

  it("starts with the files of another head and shares their contents (STO-46)", async () => {
    const store = createStore(new MemoryStorage());
    const base = await StoredFilesystem.open(store, "base");
    await writeMany(base, 300);
    await base.close();
    await using fork = await StoredFilesystem.open(store, "run", { from: "base" });
    expect((await fork.read("d1/f1.txt")).content).toBe("file 1\n");
    await fork.write("d1/f1.txt", "changed");
    await using reader = await StoredFilesystem.open(store, "base", { readOnly: true });
    expect((await reader.read("d1/f1.txt")).content).toBe("file 1\n");
    await expect(reader.write("x", "1")).rejects.toMatchObject({ code: "EROFS" });
    await expect(StoredFilesystem.open(store, "other", { readOnly: true })).rejects.toMatchObject({
      code: "LOST",
    });
  });

  it("deletes contents that no file and no snapshot has (STO-47, J246)", async () => {
    const store = createStore(new MemoryStorage());
    await using files = await StoredFilesystem.open(store, "files", { cacheBytes: 0 });
    await files.write("kept", "kept ".repeat(1_000));
    await files.write("old", "old ".repeat(1_000));
    await files.snapshot({ name: "old" });
    await files.delete("old");
    await files.write("gone", "gone ".repeat(1_000));
    await files.delete("gone");
    const { deletedBytes } = await files.sweep();
    expect(deletedBytes).toBeGreaterThanOrEqual(5_000);
    expect((await files.read("kept")).content).toContain("kept");
    const [old] = await files.snapshots();
    await files.restore(old as NonNullable<typeof old>);
    expect((await files.read("old")).content).toContain("old");
  });
});

describe("a stored filesystem whose store fails", () => {
  it("rejects with EIO and has the files of the last commit (STO-48, J249)", async () => {
    const { faults, store } = breakable();
    await using files = await StoredFilesystem.open(store, "files");
    await writeMany(files, 300);
    const before = await stateOf(files);
    faults.swap = "before";
    await expect(files.move("d1", "moved")).rejects.toMatchObject({
      code: "EIO",
      cause: { name: "StoreError" },
    });
    delete faults.swap;
    expect(await stateOf(files)).toEqual(before);
    await files.move("d1", "moved");
    expect(await files.exists("moved/f1.txt")).toBe(true);
  });

  it("finds out whether a commit happened before it changes anything else (STO-48, J243)", async () => {
    const { faults, store } = breakable();
    const files = await StoredFilesystem.open(store, "files");
    await files.write("a", "1");
    faults.swap = "after";
    await files.write("a", "2").catch(() => {});
    delete faults.swap;
    await files.write("b", "1");
    const seen = (await files.read("a")).content;
    await files.close();
    await using again = await StoredFilesystem.open(store, "files");
    expect((await again.read("a")).content).toBe(seen);
    expect((await again.read("b")).content).toBe("1");
  });

  it("keeps the changes of a transaction whose commit failed, so that it can be tried again (STO-48)", async () => {
    const { faults, store } = breakable();
    await using files = await StoredFilesystem.open(store, "files");
    const transaction = await files.begin();
    await files.write("a", "1");
    faults.swap = "before";
    await expect(transaction.commit()).rejects.toMatchObject({ code: "EIO" });
    delete faults.swap;
    await transaction.commit();
    await using reader = await StoredFilesystem.open(store, "files", { readOnly: true });
    expect((await reader.read("a")).content).toBe("1");
  });
});
