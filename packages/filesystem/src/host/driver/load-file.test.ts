import {
  appendFileSync,
  closeSync,
  openSync,
  readFileSync,
  renameSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createFilesystem } from "../../backend/create-filesystem.js";
import { isPromise } from "../../protocol/maybe-promise.js";
import { at, hostFixture, openDescriptors, QUICK_PLACE } from "./host-fixture.test.setup.js";
import { MAX_SYNC_BYTES } from "./load-file.js";

const MIB = 1024 * 1024;
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

/** A workspace with one file whose lines have six bytes. */
async function setup(sizeBytes: number) {
  const { driver, root } = await hostFixture({}, QUICK_PLACE);
  const file = join(root, "file");
  writeFileSync(file, Buffer.alloc(sizeBytes, "lines\n"));
  // An old modification time, so that every later change is visible in it.
  utimesSync(file, 1, 1);
  return { driver, root, file };
}

/** Counts the turns of the event loop while `work` runs. */
async function turnsDuring<T>(work: () => T): Promise<{ turns: number; outcome: Awaited<T> }> {
  let turns = 0;
  const turn = () => {
    turns++;
    turning = setImmediate(turn);
  };
  let turning = setImmediate(turn);
  const outcome = await work();
  clearImmediate(turning);
  return { turns, outcome };
}

it.each([6, 20, 33])(
  "a file of %i MiB is read without blocking the event loop, with the same content and revision (FS-13, FS-21, TM-6)",
  async (size) => {
    const { driver, file } = await setup(size * MIB);
    const { turns, outcome } = await turnsDuring(() =>
      driver.accelerate.load(at("file"), NO_LIMIT),
    );
    // At least one turn between two pieces.
    expect(turns).toBeGreaterThanOrEqual(size - 1);
    expect(readFileSync(file).equals(outcome?.bytes() ?? new Uint8Array())).toBe(true);
    expect(outcome?.revision).toBe(driver.accelerate.revision(at("file")));
  },
);

it("a file of up to 4 MiB is read synchronously", async () => {
  const { driver, file } = await setup(MAX_SYNC_BYTES);
  expect(isPromise(driver.accelerate.load(at("file"), NO_LIMIT))).toBe(false);
  appendFileSync(file, "x");
  const loaded = driver.accelerate.load(at("file"), NO_LIMIT);
  expect(isPromise(loaded)).toBe(true);
  expect((await loaded)?.sizeBytes).toBe(MAX_SYNC_BYTES + 1);
});

it("a page of a large file is read without blocking the event loop (FS-15, TM-6)", async () => {
  const { driver } = await setup(36 * MIB);
  const fs = createFilesystem(driver);
  const { turns, outcome } = await turnsDuring(() => fs.read("file", { offset: 3, limit: 2 }));
  expect(turns).toBeGreaterThanOrEqual(35);
  expect(outcome).toMatchObject({
    content: "lines\nlines\n",
    totalLines: 6 * MIB,
    truncated: true,
    revision: driver.accelerate.revision(at("file")),
  });
});

it("the error for a large file names the byte where it is not UTF-8 (FS-18)", async () => {
  const { driver, file } = await setup(5 * MIB);
  appendFileSync(file, Uint8Array.of(0xff));
  const fs = createFilesystem(driver);
  await expect(fs.read("file")).rejects.toThrow(
    `EILSEQ: read 'file': it is not UTF-8 text (byte ${5 * MIB})`,
  );
});

it("a file that is overwritten during the read returns the old or the new content, never a mixture (B63)", async () => {
  const { driver, file } = await setup(8 * MIB);
  const loaded = driver.accelerate.load(at("file"), NO_LIMIT);
  const fd = openSync(file, "r+");
  writeSync(fd, Buffer.alloc(8 * MIB, "other\n"));
  closeSync(fd);
  const content = await loaded;
  expect(readFileSync(file).equals(content?.bytes() ?? new Uint8Array())).toBe(true);
  expect(content?.revision).toBe(driver.accelerate.revision(at("file")));
});

it("a file that grows during the read is returned completely, unless it becomes too large (B63, FS-17)", async () => {
  const { driver, file } = await setup(8 * MIB);
  const [fitting, tooLarge] = [NO_LIMIT, 8 * MIB].map((most) =>
    driver.accelerate.load(at("file"), most),
  );
  appendFileSync(file, "more");
  expect((await fitting)?.sizeBytes).toBe(8 * MIB + 4);
  expect(await tooLarge).toBeUndefined();
});

it("a file that is truncated during the read returns the remaining content (B63)", async () => {
  const { driver, file } = await setup(8 * MIB);
  const loaded = driver.accelerate.load(at("file"), NO_LIMIT);
  truncateSync(file, 6);
  expect((await loaded)?.text()).toBe("lines\n");
});

it("a file that is replaced during the read returns the old content (B64)", async () => {
  const { driver, root, file } = await setup(8 * MIB);
  const old = readFileSync(file);
  const loaded = driver.accelerate.load(at("file"), NO_LIMIT);
  writeFileSync(join(root, "new"), "new");
  renameSync(join(root, "new"), file);
  expect(old.equals((await loaded)?.bytes() ?? new Uint8Array())).toBe(true);
});

it("a read fails when the filesystem is closed, and the file is closed (K255)", async () => {
  const { driver } = await setup(8 * MIB);
  const before = openDescriptors();
  const loaded = driver.accelerate.load(at("file"), NO_LIMIT);
  driver.close();
  await expect(loaded).rejects.toThrow("EBADF: ");
  // The root directory's descriptor is closed too.
  expect(openDescriptors()).toBe(before - 1);
});
