import { execFileSync } from "node:child_process";
import { linkSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { openNextToSecret, SECRET } from "./next-to-secret.test.support.js";

describe("HostFilesystem", () => {
  it("stays inside while another thread swaps a directory for a link (A36, A37, TM-3)", async () => {
    const { root, outside, fs, secretIsSafe } = await openNextToSecret();
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

  it("does not open a FIFO, which would block forever (A44, FS-80, TM-4)", async () => {
    const { root, fs } = await openNextToSecret();
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
    const { root, fs } = await openNextToSecret();
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
    const { root, outside, fs, secretIsSafe } = await openNextToSecret();
    linkSync(path.join(outside, "secret.txt"), path.join(root, "linked"));
    await fs.write("linked", "owned");
    await fs.write("linked", "more", { mode: "append" });
    expect(secretIsSafe()).toBe(true);
    expect((await fs.read("linked")).content).toBe("ownedmore");
  });

  it("sees changes that other programs make in its directory (FS-62)", async () => {
    const { root, fs } = await openNextToSecret();
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
