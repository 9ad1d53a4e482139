import { describe, expect, it } from "vitest";
import type { FilesystemDriver } from "../driver/driver.js";
import { isFilesystemError } from "../protocol/filesystem-error.js";
import { failureOf } from "../testing/contract/expect-failure.js";
import { treeOf } from "../testing/contract/tree-of.js";
import { mapDriver } from "../testing/map-driver.test.support.js";
import { createFilesystem } from "./create-filesystem.js";

const HOST_SECRET = "/srv/host/path";

/** A driver whose named methods fail after `callsLeft` calls. */
function failingDriver(methods: readonly string[]) {
  const driver = mapDriver();
  const state = { callsLeft: Number.POSITIVE_INFINITY };
  const failing = new Proxy(driver, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver);
      if (typeof member !== "function" || !methods.includes(String(name))) return member;
      return (...args: unknown[]) => {
        if (state.callsLeft-- <= 0) throw new Error(`disk on fire at ${HOST_SECRET}`);
        return Reflect.apply(member, target, args);
      };
    },
  });
  return { driver: failing, state };
}

const ALL = ["stat", "list", "read", "write", "mkdir", "remove"];

describe("a filesystem over a driver", () => {
  it("turns a driver's errors into EIO and keeps them as the cause (FS-67)", async () => {
    const { driver, state } = failingDriver(ALL);
    const fs = createFilesystem(driver);
    await fs.write("d/a", "hit");
    state.callsLeft = 0;
    const calls = {
      read: () => fs.read("d/a"),
      readBytes: () => fs.readBytes("d/a"),
      exists: () => fs.exists("d/a"),
      stat: () => fs.stat("d/a"),
      list: () => fs.list("d"),
      glob: () => fs.glob("**"),
      grep: () => fs.grep("hit"),
      write: () => fs.write("d/a", "1"),
      writeBytes: () => fs.writeBytes("d/a", new Uint8Array()),
      delete: () => fs.delete("d/a"),
      mkdir: () => fs.mkdir("e"),
      copy: () => fs.copy("d/a", "b"),
      move: () => fs.move("d/a", "b"),
      openRead: () => fs.openRead("d/a"),
      openWrite: () => fs.openWrite("d/a"),
      openText: () => fs.openText("d/a"),
      usage: () => fs.usage(),
    };
    for (const [operation, call] of Object.entries(calls)) {
      const error = await failureOf(call());
      expect(error).toMatchObject({
        code: "EIO",
        operation,
        cause: { message: expect.stringContaining(HOST_SECRET) },
      });
      expect(isFilesystemError(error) && error.message).not.toContain(HOST_SECRET);
    }
  });

  it("turns a driver's errors in the middle of a stream into EIO (FS-67)", async () => {
    const { driver, state } = failingDriver(ALL);
    const fs = createFilesystem(driver, { limits: { maxReadBytes: 4 } });
    await fs.write("a", "0123456789");
    const reader = await fs.openRead("a", { chunkBytes: 2 });
    const lines = await fs.openText("a");
    const writer = await fs.openWrite("b");
    await writer.write("1");
    state.callsLeft = 0;
    await expect(reader.read()).rejects.toMatchObject({ code: "EIO", operation: "openRead" });
    await expect(lines.lines()[Symbol.asyncIterator]().next()).rejects.toMatchObject({
      code: "EIO",
      operation: "openText",
    });
    await expect(writer.close()).rejects.toMatchObject({ code: "EIO", operation: "openWrite" });
  });

  it("leaves no partial changes when any driver call fails, and counts correctly afterwards (FS-61, FS-72)", async () => {
    const changes = {
      write: (fs: ReturnType<typeof createFilesystem>) => fs.write("x/y/z", "12345"),
      mkdir: (fs: ReturnType<typeof createFilesystem>) => fs.mkdir("x/y/z"),
      copy: (fs: ReturnType<typeof createFilesystem>) => fs.copy("d", "x/y"),
      stream: async (fs: ReturnType<typeof createFilesystem>) => {
        const writer = await fs.openWrite("x/y/z");
        await writer.write("12345");
        await writer.close();
      },
    };
    for (const [name, change] of Object.entries(changes)) {
      let failures = 0;
      for (let callsLeft = 0; ; callsLeft++) {
        // Removals work, because nothing can be rolled back on a backend that fails every call.
        const { driver, state } = failingDriver(["write", "mkdir"]);
        const fs = createFilesystem(driver, { quotas: { maxNodeCount: 50, maxTotalBytes: 500 } });
        for (const path of ["d/a", "d/e/b", "d/e/c"]) await fs.write(path, "1");
        const before = await treeOf(fs);
        const usage = await fs.usage();
        state.callsLeft = callsLeft;
        const outcome = await change(fs).then(
          () => "done",
          () => "failed",
        );
        state.callsLeft = Number.POSITIVE_INFINITY;
        if (outcome === "done") break;
        failures++;
        expect(await treeOf(fs), `${name} with ${callsLeft} calls`).toEqual(before);
        expect(await fs.usage()).toEqual(usage);
      }
      expect(failures).toBeGreaterThan(1);
    }
  });

  it("counts the remaining files when a removal fails half-way (B59, FS-62)", async () => {
    const { driver, state } = failingDriver(["remove"]);
    const fs = createFilesystem(driver, { quotas: { maxNodeCount: 5 } });
    for (const path of ["d/a", "d/b", "d/c"]) await fs.write(path, "");
    state.callsLeft = 2;
    await expect(fs.delete("d", { recursive: true })).rejects.toMatchObject({ code: "EIO" });
    state.callsLeft = Number.POSITIVE_INFINITY;
    // Two of four nodes are deleted, so exactly three more fit.
    for (const path of ["x", "y", "z"]) await fs.write(path, "");
    await expect(fs.write("w", "")).rejects.toMatchObject({ code: "EDQUOT" });
  });

  it("counts correctly when a copy fails after it replaced something (B59, FS-62)", async () => {
    const { driver, state } = failingDriver(["write"]);
    const fs = createFilesystem(driver, { quotas: { maxNodeCount: 8 } });
    for (const path of ["d/a", "d/b", "e/x", "e/y", "e/z"]) await fs.write(path, "");
    state.callsLeft = 0;
    await expect(fs.copy("d", "e", { overwrite: true })).rejects.toMatchObject({ code: "EIO" });
    state.callsLeft = Number.POSITIVE_INFINITY;
    const { nodeCount } = await countBy(fs);
    for (let index = nodeCount; index < 8; index++) await fs.write(`new${index}`, "");
    await expect(fs.write("one-too-many", "")).rejects.toMatchObject({ code: "EDQUOT" });
  });

  it("counts correctly when a move could not remove its source (B59, FS-62)", async () => {
    const { driver, state } = failingDriver(["remove"]);
    const fs = createFilesystem(driver, { quotas: { maxNodeCount: 8 } });
    for (const path of ["d/a", "d/b"]) await fs.write(path, "");
    state.callsLeft = 0;
    await expect(fs.move("d", "m")).rejects.toMatchObject({ code: "EIO" });
    state.callsLeft = Number.POSITIVE_INFINITY;
    for (const path of ["x", "y"]) await fs.write(path, "");
    await expect(fs.write("one-too-many", "")).rejects.toMatchObject({ code: "EDQUOT" });
    expect((await countBy(fs)).nodeCount).toBe(8);
  });

  it("uses only the six required methods when the optional ones are missing, and lists a directory with one call (FS-74, FS-77)", async () => {
    const calls: string[] = [];
    const driver = new Proxy(mapDriver(), {
      get(target, name, receiver) {
        const member: unknown = Reflect.get(target, name, receiver);
        if (typeof member !== "function") return member;
        return (...args: unknown[]) => {
          calls.push(String(name));
          return Reflect.apply(member, target, args);
        };
      },
    });
    const fs = createFilesystem(driver);
    for (let index = 0; index < 50; index++) await fs.write(`d${index}/f`, "");
    calls.length = 0;
    await fs.list("d1");
    expect(calls).toEqual(["stat", "list"]);
    calls.length = 0;
    await fs.readBytes("d1/f", { limit: 0 });
    expect(calls.filter((name) => name !== "read")).toEqual(["stat"]);
  });

  it("uses a hash as the revision if the driver has none (FS-21)", async () => {
    const fs = createFilesystem(mapDriver());
    const large = new Uint8Array(3_000_000);
    const first = await fs.writeBytes("a", large);
    large[2_999_999] = 1;
    const second = await fs.writeBytes("a", large);
    expect(second.revision).not.toBe(first.revision);
    large[2_999_999] = 0;
    expect((await fs.writeBytes("a", large)).revision).toBe(first.revision);
    expect((await fs.stat("a")).revision).toBe(first.revision);
    expect((await fs.write("empty", "")).revision).not.toBe((await fs.write("one", "1")).revision);
  });

  it("fails with ESTALE when a large file changes while it is read (B63, FS-52)", async () => {
    const fs = createFilesystem(mapDriver(), { limits: { maxReadBytes: 100 } });
    const large = 3 * 1024 * 1024;
    for (const change of [
      () => fs.write("a", "y".repeat(large)),
      () => fs.write("a", "short"),
      () => fs.delete("a"),
    ]) {
      await fs.write("a", "x".repeat(large));
      await using reader = await fs.openRead("a", { chunkBytes: 700_000 });
      await reader.read();
      await change();
      const rest = (async () => {
        for await (const chunk of reader) expect(chunk.includes("y".charCodeAt(0))).toBe(false);
      })();
      await expect(rest).rejects.toMatchObject({ code: "ESTALE" });
    }
  });

  it("returns the same results when a driver lists entries in any order (B72, FS-24)", async () => {
    const plain = mapDriver();
    const shuffled: FilesystemDriver = {
      ...plain,
      list: async (path, options) => [...(await plain.list(path, options))].reverse(),
    };
    const fs = createFilesystem(shuffled);
    for (const path of ["c", "a/z", "b", "a/b"]) await fs.write(path, "x");
    expect((await fs.list()).map(({ name }) => name)).toEqual(["a", "b", "c"]);
    expect((await fs.glob("**")).map(({ path }) => path)).toEqual(["a/b", "a/z", "b", "c"]);
    expect((await fs.grep("x")).map(({ path }) => path)).toEqual(["a/b", "a/z", "b", "c"]);
  });

  it("never opens a driver's links and special files, but deletes them (A29, A44, FS-80)", async () => {
    const plain = mapDriver();
    const kinds: Readonly<Record<string, "symlink" | "special">> = {
      link: "symlink",
      fifo: "special",
    };
    const gone = new Set<string>();
    const driver: FilesystemDriver = {
      ...plain,
      stat: (path, options) => {
        const kind = kinds[path];
        return kind && !gone.has(path) ? { kind, sizeBytes: 7 } : plain.stat(path, options);
      },
      list: async (path, options) => [
        ...(await plain.list(path, options)),
        ...(path === "" ? Object.entries(kinds).map(([name, kind]) => ({ name, kind })) : []),
      ],
      remove: (path, options) => {
        gone.add(path);
        return plain.remove(path, options);
      },
    };
    const fs = createFilesystem(driver);
    await fs.write("file", "1");
    for (const path of ["link", "fifo", "link/x"]) {
      for (const call of [
        () => fs.read(path),
        () => fs.readBytes(path),
        () => fs.openRead(path),
        () => fs.write(path, ""),
        () => fs.write(path, "", { mode: "append" }),
        () => fs.openWrite(path),
        () => fs.copy(path, "copy"),
      ])
        await expect(call(), path).rejects.toMatchObject({
          code: "EACCES",
        });
    }
    expect(await fs.exists("link")).toBe(false);
    expect(await fs.exists("fifo")).toBe(true);
    await expect(fs.mkdir("link")).rejects.toMatchObject({ code: "EACCES" });
    await expect(fs.stat("link")).rejects.toMatchObject({ code: "EACCES" });
    expect(await fs.stat("fifo")).toMatchObject({
      kind: "special",
      isFile: false,
      sizeBytes: 0,
      revision: undefined,
    });
    expect((await fs.list()).map(({ kind }) => kind)).toEqual(["special", "file", "symlink"]);
    expect((await fs.grep("1")).map(({ path }) => path)).toEqual(["file"]);
    await fs.delete("link");
    await fs.delete("fifo");
    expect(await fs.exists("fifo")).toBe(false);
  });
});

/** Counts by listing, so that the filesystem does not count again. */
async function countBy(fs: ReturnType<typeof createFilesystem>): Promise<{ nodeCount: number }> {
  return { nodeCount: Object.keys(await treeOf(fs)).length };
}
