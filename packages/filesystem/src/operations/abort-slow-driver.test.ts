import { describe, expect, it, vi } from "vitest";
import { createFilesystem } from "../backend/create-filesystem.js";
import type { DriverFilesystem } from "../backend/driver-filesystem.js";
import type { FilesystemDriver } from "../driver/driver.js";
import { memoryDriver } from "../memory/memory-driver.js";
import { MemoryTree } from "../memory/memory-tree.js";
import type { VirtualPath } from "../path/virtual-path.js";
import { linkDriver, mapDriver } from "../testing/map-driver.test.support.js";

type Method = (...args: unknown[]) => unknown;

/** A driver whose answers wait while the gate is closed. It records the signals that it gets. */
class Gate {
  readonly signals: (AbortSignal | undefined)[] = [];
  #opened: Promise<void> = Promise.resolve();
  #open = () => {};

  close(): void {
    this.signals.length = 0;
    this.#opened = new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  open(): void {
    this.#open();
  }

  /** Wraps the methods of a driver and its accelerators. */
  around(driver: FilesystemDriver): FilesystemDriver {
    const { accelerate, ...methods } = driver;
    const fast = accelerate && this.#wrap(accelerate, ["countsUsage", "knows", "walk"]);
    return { ...this.#wrap(methods, ["name", "stores"]), accelerate: fast };
  }

  #wrap<T extends object>(methods: T, unchanged: readonly string[]): T {
    const wrapped = Object.entries(methods).map(([name, method]) => [
      name,
      unchanged.includes(name) ? method : this.#waiting(method),
    ]);
    // Every method keeps its type, because drivers may answer with a promise.
    return Object.fromEntries(wrapped) as T;
  }

  #waiting(method: Method): Method {
    return async (...args) => {
      this.signals.push((args.at(-1) as { readonly signal?: AbortSignal }).signal);
      await this.#opened;
      return method(...args);
    };
  }
}

type Call = (fs: DriverFilesystem, options: { readonly signal: AbortSignal }) => Promise<unknown>;

const READS: Readonly<Record<string, Call>> = {
  read: (fs, options) => fs.read("a", options),
  readBytes: (fs, options) => fs.readBytes("a", options),
  exists: (fs, options) => fs.exists("a", options),
  stat: (fs, options) => fs.stat("a", options),
  list: (fs, options) => fs.list("d", options),
  glob: (fs, options) => fs.glob("**", { ...options, path: "d" }),
  grep: (fs, options) => fs.grep("1", { ...options, path: "d" }),
  openRead: (fs, options) => fs.openRead("a", options),
  openText: (fs, options) => fs.openText("a", options),
  openWrite: (fs, options) => fs.openWrite("a", options),
};

const CHANGES: Readonly<Record<string, Call>> = {
  write: (fs, options) => fs.write("new", "2", options),
  "write over a file": (fs, options) => fs.write("a", "2", options),
  append: (fs, options) => fs.write("a", "2", { ...options, mode: "append" }),
  writeBytes: (fs, options) => fs.writeBytes("d/new", Uint8Array.of(1), options),
  "write with parents": (fs, options) => fs.write("x/y/z", "2", options),
  delete: (fs, options) => fs.delete("a", options),
  "delete a directory": (fs, options) => fs.delete("d", { ...options, recursive: true }),
  mkdir: (fs, options) => fs.mkdir("new", options),
  copy: (fs, options) => fs.copy("a", "b", options),
  "copy a directory": (fs, options) => fs.copy("d", "e", options),
  move: (fs, options) => fs.move("a", "b", options),
};

/** Over a driver that stores links, modes and times. */
const WITH_LINKS: Readonly<Record<string, Call>> = {
  readlink: (fs, options) => fs.readlink("link", options),
  realpath: (fs, options) => fs.realpath("link", options),
  contentId: (fs, options) => fs.contentId("a", options),
  "list with details": (fs, options) => fs.list("d", { ...options, details: true }),
  usage: (fs, options) => fs.usage(options),
  symlink: (fs, options) => fs.symlink("a", "new", options),
  chmod: (fs, options) => fs.chmod("a", 0o600, options),
  utimes: (fs, options) => fs.utimes("a", new Date(0), options),
  snapshot: (fs, options) => fs.snapshot(options),
  fork: (fs, options) => fs.fork(options),
  begin: (fs, options) => fs.begin(options),
  transact: (fs, options) => fs.transact((files) => files.write("new", "2"), options),
};

const DRIVERS = {
  "six methods": () => mapDriver(),
  accelerators: () => memoryDriver(new MemoryTree(0), () => 0),
};

async function setup(driver: FilesystemDriver) {
  const gate = new Gate();
  const fs = createFilesystem(gate.around(driver));
  await fs.write("a", "1");
  await fs.write("d/b", "1");
  gate.close();
  const controller = new AbortController();
  const { signal } = controller;
  const reason = new Error("enough");
  return { gate, fs, signal, reason, abort: () => controller.abort(reason) };
}

async function treeOf(fs: DriverFilesystem): Promise<readonly (readonly [string, string])[]> {
  const files = await fs.glob("**");
  return await Promise.all(
    files.map(async ({ path }) => [path, (await fs.read(path)).content] as const),
  );
}

const BEFORE = [
  ["a", "1"],
  ["d/b", "1"],
];

describe("over a driver with links that does not answer,", () => {
  it.each(Object.entries(WITH_LINKS))(
    "an aborted %s rejects immediately, and its driver calls got the signal (FS-70)",
    async (_, call) => {
      const driver = linkDriver();
      await driver.write("link" as VirtualPath, new TextEncoder().encode("a"), "create", {
        kind: "symlink",
      });
      const { gate, fs, signal, reason, abort } = await setup(driver);
      const calling = call(fs, { signal });
      await vi.waitUntil(() => gate.signals.length > 0);
      abort();
      await expect(calling).rejects.toBe(reason);
      expect(gate.signals).toEqual(gate.signals.map(() => signal));
      gate.open();
      expect(await treeOf(fs)).toEqual(BEFORE);
      await fs.write("later", "3");
    },
  );

  it("an aborted diff rejects immediately, and its driver calls got the signal (FS-70)", async () => {
    const { gate, fs, signal, reason, abort } = await setup(linkDriver());
    gate.open();
    const snapshot = await fs.snapshot();
    gate.close();
    const comparing = fs.diff(snapshot, undefined, { signal });
    await vi.waitUntil(() => gate.signals.length > 0);
    abort();
    await expect(comparing).rejects.toBe(reason);
    expect(gate.signals).toEqual(gate.signals.map(() => signal));
    gate.open();
    expect((await fs.diff(snapshot)).isEmpty).toBe(true);
  });
});

describe.each(Object.entries(DRIVERS))(
  "over a driver that does not answer, with %s,",
  (_, make) => {
    it.each(Object.entries({ ...READS, ...CHANGES }))(
      "an aborted %s rejects immediately, and its driver calls got the signal (FS-70)",
      async (_, call) => {
        const { gate, fs, signal, reason, abort } = await setup(make());
        const calling = call(fs, { signal });
        await vi.waitUntil(() => gate.signals.length > 0);
        expect(gate.signals).toEqual(gate.signals.map(() => signal));
        abort();
        await expect(calling).rejects.toBe(reason);
        gate.open();
        // The driver had not been asked to change anything yet, so nothing has changed.
        expect(await treeOf(fs)).toEqual(BEFORE);
        await fs.write("later", "3");
      },
    );

    it.each(Object.entries(CHANGES))(
      "an aborted %s that waits in the queue rejects immediately and never starts (FS-70, FS-71)",
      async (_, call) => {
        const { gate, fs, signal, reason, abort } = await setup(make());
        const first = fs.write("first", "");
        await vi.waitUntil(() => gate.signals.length > 0);
        const calling = call(fs, { signal });
        abort();
        await expect(calling).rejects.toBe(reason);
        gate.open();
        await first;
        expect(await treeOf(fs)).toEqual([...BEFORE, ["first", ""]]);
        expect(gate.signals).not.toContain(signal);
      },
    );

    it("aborted streams reject immediately (FS-70)", async () => {
      const { gate, fs, signal, reason, abort } = await setup(make());
      gate.open();
      const reader = await fs.openRead("a", { signal });
      const writer = await fs.openWrite("a", { signal });
      await writer.write("2");
      gate.close();
      const closing = writer.close();
      await vi.waitUntil(() => gate.signals.length > 0);
      abort();
      await expect(closing).rejects.toBe(reason);
      await expect(reader.read()).rejects.toBe(reason);
      gate.open();
      await reader.close();
      expect(await treeOf(fs)).toEqual(BEFORE);
    });

    it.each(["snapshot", "begin", "fork", "diff", "restore", "importSnapshot", "usage"] as const)(
      "an aborted %s rejects immediately (FS-70)",
      async (name) => {
        const { gate, fs, signal, reason, abort } = await setup(make());
        gate.open();
        const snapshot = await fs.snapshot();
        const options = { signal };
        const calls: Readonly<Record<typeof name, () => Promise<unknown>>> = {
          snapshot: () => fs.snapshot(options),
          begin: () => fs.begin(options),
          fork: () => fs.fork(options),
          diff: () => fs.diff(snapshot, undefined, options),
          restore: () => fs.restore(snapshot, options),
          importSnapshot: () => fs.importSnapshot([new Uint8Array(1024)], options),
          usage: () => fs.usage(options),
        };
        gate.close();
        const first = fs.write("first", "");
        const calling = calls[name]();
        abort();
        await expect(calling).rejects.toBe(reason);
        gate.open();
        await first;
        const transaction = await fs.begin();
        await transaction.rollback();
        expect(await treeOf(fs)).toEqual([...BEFORE, ["first", ""]]);
      },
    );
  },
);

it("a change that the driver has begun is finished before the next change starts (FS-70, FS-71)", async () => {
  const plain = mapDriver();
  const gate = new Gate();
  const { write } = gate.around(plain);
  const fs = createFilesystem({ ...plain, write });
  gate.close();
  const controller = new AbortController();
  const writing = fs.write("a", "1", { signal: controller.signal });
  await vi.waitUntil(() => gate.signals.length > 0);
  controller.abort(new Error("enough"));
  await expect(writing).rejects.toBe(controller.signal.reason);
  const deleting = fs.delete("a");
  gate.open();
  await deleting;
  expect(await fs.exists("a")).toBe(false);
});

it("a transaction that is aborted while it begins is rolled back (FS-70)", async () => {
  const plain = mapDriver();
  const gate = new Gate();
  const { list } = gate.around(plain);
  const fs = createFilesystem({ ...plain, list });
  await fs.write("a", "1");
  gate.close();
  const controller = new AbortController();
  const beginning = fs.begin({ signal: controller.signal });
  await vi.waitUntil(() => gate.signals.length > 0);
  controller.abort(new Error("enough"));
  await expect(beginning).rejects.toBe(controller.signal.reason);
  gate.open();
  const transaction = await fs.begin();
  await fs.write("a", "2");
  await transaction.rollback();
  expect((await fs.read("a")).content).toBe("1");
});
