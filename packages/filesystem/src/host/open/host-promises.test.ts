import { execFileSync } from "node:child_process";
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { describe, expect, it, onTestFinished } from "vitest";
import { HostFilesystem } from "../../host.js";
import type { Filesystem } from "../../protocol/filesystem.js";
import { isFilesystemError } from "../../protocol/filesystem-error.js";

const SECRET = "code inside must not see this";

/** A workspace on disk with a secret next to it. */
async function setup() {
  const base = mkdtempSync(path.join(tmpdir(), "wink-promises-"));
  const root = path.join(base, "root");
  const outside = path.join(base, "outside");
  for (const folder of [root, outside]) mkdirSync(folder);
  writeFileSync(path.join(outside, "secret.txt"), SECRET);
  const fs = await HostFilesystem.open(root, { fsync: false });
  onTestFinished(async () => {
    await fs.close();
    rmSync(base, { recursive: true, force: true });
  });
  const secretIsSafe = () => readFileSync(path.join(outside, "secret.txt"), "utf8") === SECRET;
  return { base, root, outside, fs, secretIsSafe };
}

const FOLLOWING: Readonly<Record<string, (fs: Filesystem, path: string) => Promise<unknown>>> = {
  read: (fs, at) => fs.read(at),
  readBytes: (fs, at) => fs.readBytes(at),
  stat: (fs, at) => fs.stat(at),
  list: (fs, at) => fs.list(at),
  glob: (fs, at) => fs.glob("**", { path: at }),
  grep: (fs, at) => fs.grep("see", { path: at }),
  openRead: (fs, at) => fs.openRead(at),
  openText: (fs, at) => fs.openText(at),
  write: (fs, at) => fs.write(at, "owned"),
  append: (fs, at) => fs.write(at, "owned", { mode: "append" }),
  create: (fs, at) => fs.write(at, "owned", { mode: "create" }),
  openWrite: (fs, at) => fs.openWrite(at),
  mkdir: (fs, at) => fs.mkdir(at),
  "copy from": (fs, at) => fs.copy(at, "copied"),
  "copy to": (fs, at) => fs.copy("mine", at, { overwrite: true }),
  "move to": (fs, at) => fs.move("mine", at, { overwrite: true }),
};

describe("HostFilesystem", () => {
  it.each(Object.entries(FOLLOWING))(
    "follows no link by %s, at the end of a path or on its way, and reveals nothing of the target (A29, A30, A31, A32, A33, A34, FS-80, TM-2, TM-5)",
    async (operation, call) => {
      const { base, root, outside, fs, secretIsSafe } = await setup();
      await fs.write("mine", "1");
      await fs.write("inside/file", "1");
      symlinkSync(path.join(outside, "secret.txt"), path.join(root, "to-file"));
      symlinkSync(outside, path.join(root, "to-folder"));
      symlinkSync("../outside/secret.txt", path.join(root, "relative"));
      symlinkSync(path.join(outside, "new.txt"), path.join(root, "dangling"));
      symlinkSync("inside", path.join(root, "to-inside"));
      symlinkSync("loop", path.join(root, "loop"));
      for (const at of [
        "to-file",
        "to-folder",
        "to-folder/secret.txt",
        "to-folder/new.txt",
        "relative",
        "dangling",
        "to-inside",
        "to-inside/file",
        "loop",
        "loop/x",
      ]) {
        const error: unknown = await call(fs, at).then(
          () => undefined,
          (reason: unknown) => reason,
        );
        const isTaken = operation === "create" && !at.includes("/");
        const code = isTaken ? "EEXIST" : "EACCES";
        if (!isFilesystemError(error, code)) throw new Error(`${at}: ${String(error)}`);
        expect(error.message).not.toContain(base);
        expect(await fs.exists(at)).toBe(false);
      }
      expect(secretIsSafe()).toBe(true);
      expect((await fs.grep("see")).length).toBe(0);
      expect((await fs.glob("**")).map((match) => match.path)).toEqual(["inside/file", "mine"]);
      for (const at of ["to-file", "to-folder", "loop", "dangling"]) await fs.delete(at);
      expect(secretIsSafe()).toBe(true);
    },
  );

  it("stays inside while another thread swaps a directory for a link (A36, A37, TM-3)", async () => {
    const { root, outside, fs, secretIsSafe } = await setup();
    await fs.write("d/secret.txt", "harmless");
    symlinkSync(outside, path.join(root, "link"));
    const stop = new Int32Array(new SharedArrayBuffer(4));
    const swapper = new Worker(SWAPPER, { eval: true, workerData: { root, stop } });
    const seen = { harmless: 0, refused: 0, secret: 0 };
    // Runs until both states were seen often, which proves that there was a race.
    for (let count = 0; count < 200_000 && Math.min(seen.harmless, seen.refused) < 300; count++) {
      const content = await fs.read("d/secret.txt").then(
        (page) => page.content,
        () => "",
      );
      if (content === SECRET) seen.secret++;
      else if (content === "") seen.refused++;
      else seen.harmless++;
      await fs.write("d/planted.txt", "owned", { createParents: false }).catch(() => {});
      if (count % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    Atomics.store(stop, 0, 1);
    await new Promise((resolve) => swapper.once("exit", resolve));
    expect(Math.min(seen.harmless, seen.refused)).toBeGreaterThanOrEqual(300);
    expect(seen.secret).toBe(0);
    expect(secretIsSafe()).toBe(true);
    expect(() => readFileSync(path.join(outside, "planted.txt"))).toThrow("ENOENT");
  });

  it("does not open a FIFO, which would block for ever (A44, FS-80, TM-4)", async () => {
    const { root, fs } = await setup();
    execFileSync("mkfifo", [path.join(root, "fifo")]);
    for (const call of ["read", "readBytes", "openRead", "openText"] as const)
      await expect(fs[call]("fifo")).rejects.toMatchObject({ code: "EACCES" });
    await expect(fs.write("fifo", "1")).rejects.toMatchObject({ code: "EACCES" });
    await expect(fs.write("fifo", "1", { mode: "append" })).rejects.toMatchObject({
      code: "EACCES",
    });
    expect(await fs.stat("fifo")).toMatchObject({ kind: "special", sizeBytes: 0 });
    expect((await fs.grep("x")).length).toBe(0);
    await fs.delete("fifo");
    expect(await fs.exists("fifo")).toBe(false);
  });

  it("shows the old content or the new to concurrent readers (B64, FS-82)", async () => {
    const { root, fs } = await setup();
    const versions = ["a", "b"].map((letter) => letter.repeat(300_000));
    await fs.write("f", versions[0] ?? "");
    const stop = new Int32Array(new SharedArrayBuffer(8));
    const reader = new Worker(READER, {
      eval: true,
      workerData: { file: path.join(root, "f"), stop },
    });
    const torn = new Promise<{ torn: number; reads: number }>((resolve) =>
      reader.once("message", resolve),
    );
    // Runs until the file was read often enough during the writes.
    for (let count = 0; count < 20_000 && Atomics.load(stop, 1) < 200; count++)
      await fs.write("f", versions[count % 2] ?? "");
    Atomics.store(stop, 0, 1);
    const outcome = await torn;
    expect(outcome.torn).toBe(0);
    expect(outcome.reads).toBeGreaterThanOrEqual(200);
  });

  it("does not change the other name of a hard-linked file (A42, A43, FS-82)", async () => {
    const { root, outside, fs, secretIsSafe } = await setup();
    linkSync(path.join(outside, "secret.txt"), path.join(root, "linked"));
    await fs.write("linked", "owned");
    await fs.write("linked", "more", { mode: "append" });
    expect(secretIsSafe()).toBe(true);
    expect((await fs.read("linked")).content).toBe("ownedmore");
  });

  it("sees changes that other programs make in its directory (FS-62)", async () => {
    const { root, fs } = await setup();
    await fs.write("a", "1");
    const { revision } = await fs.read("a");
    writeFileSync(path.join(root, "a"), "2");
    writeFileSync(path.join(root, "b"), "345");
    expect((await fs.read("a")).content).toBe("2");
    await expect(fs.write("a", "3", { ifRevision: revision })).rejects.toMatchObject({
      code: "ESTALE",
    });
    expect((await fs.usage()).totalBytes).toBe(4);
    renameSync(path.join(root, "b"), path.join(root, "c"));
    expect((await fs.list()).map(({ name }) => name)).toEqual(["a", "c"]);
  });
});

const SWAPPER = `
const { workerData: { root, stop } } = require("node:worker_threads");
const { renameSync } = require("node:fs");
while (Atomics.load(stop, 0) === 0) {
  renameSync(root + "/d", root + "/kept");
  renameSync(root + "/link", root + "/d");
  renameSync(root + "/d", root + "/link");
  renameSync(root + "/kept", root + "/d");
}`;

const READER = `
const { workerData: { file, stop }, parentPort } = require("node:worker_threads");
const { readFileSync } = require("node:fs");
let torn = 0, reads = 0;
while (Atomics.load(stop, 0) === 0) {
  const text = readFileSync(file, "latin1");
  reads = Atomics.add(stop, 1, 1) + 1;
  if (text.length !== 300000 || text !== text[0].repeat(300000)) torn++;
}
parentPort.postMessage({ torn, reads });`;
