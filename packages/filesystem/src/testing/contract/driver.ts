import assert from "node:assert/strict";
import type { FilesystemDriver } from "../../driver/driver.js";
import { driverOf } from "../../operations/driver-of.js";
import type { VirtualPath } from "../../path/virtual-path.js";
import type { CaseBody, Open } from "./contract-case.js";
import { defineArea } from "./contract-case.js";
import { expectFailure } from "./expect-failure.js";

const path = (text: string) => text as VirtualPath;
const ONE = Uint8Array.of(1);

/** Runs `body` with the driver of a new filesystem. A wrapped filesystem has none, so there is nothing to check. */
function withDriver(body: (driver: FilesystemDriver) => Promise<void>): CaseBody {
  return async (open: Open) => {
    const driver = driverOf(await open());
    if (driver !== undefined) await body(driver);
  };
}

async function bytesAt(driver: FilesystemDriver, name: string): Promise<readonly number[]> {
  return [...(await driver.read(path(name), 0, 100, {}))];
}

/** What the layer above a driver hides, because it checks and copies too. */
export const driver = defineArea("driver", {
  "fails to create a file that exists, and keeps its content (FS-111)": withDriver(
    async (driver) => {
      await driver.write(path("a"), ONE, "create", {});
      const again = async () => driver.write(path("a"), Uint8Array.of(2), "create", {});
      await expectFailure(again(), "EEXIST");
      assert.deepEqual(await bytesAt(driver, "a"), [1]);
    },
  ),
  "stores a copy of the caller's bytes (FS-28, FS-111)": withDriver(async (driver) => {
    const bytes = Uint8Array.of(1, 2);
    await driver.write(path("a"), bytes, "overwrite", {});
    await driver.write(path("b"), bytes, "create", {});
    bytes.fill(9);
    assert.deepEqual(await bytesAt(driver, "a"), [1, 2]);
    assert.deepEqual(await bytesAt(driver, "b"), [1, 2]);
    const more = Uint8Array.of(3);
    await driver.write(path("a"), more, "append", {});
    more.fill(9);
    assert.deepEqual(await bytesAt(driver, "a"), [1, 2, 3]);
  }),
  "returns copies of the stored bytes (FS-20, FS-111)": withDriver(async (driver) => {
    await driver.write(path("a"), Uint8Array.of(1, 2), "create", {});
    (await driver.read(path("a"), 0, 2, {})).fill(9);
    assert.deepEqual(await bytesAt(driver, "a"), [1, 2]);
  }),
  "reads any range, and less only at the end (FS-111)": withDriver(async (driver) => {
    await driver.write(path("a"), Uint8Array.of(1, 2, 3), "create", {});
    const ranges = [
      [0, 1],
      [1, 1],
      [2, 5],
      [3, 1],
      [7, 2],
    ] as const;
    const read = await Promise.all(
      ranges.map(async ([offset, length]) => [
        ...(await driver.read(path("a"), offset, length, {})),
      ]),
    );
    assert.deepEqual(read, [[1], [2], [3], [], []]);
  }),
  "does not change a list that it returned (FS-111)": withDriver(async (driver) => {
    await driver.write(path("a"), ONE, "create", {});
    const list = await driver.list(path(""), {});
    await driver.write(path("b"), ONE, "create", {});
    assert.deepEqual(
      list.map(({ name }) => name),
      ["a"],
    );
  }),
  "accepts a directory that exists, and keeps its content (FS-111)": withDriver(async (driver) => {
    await driver.mkdir(path("d"), {});
    await driver.write(path("d/a"), ONE, "create", {});
    await driver.mkdir(path("d"), {});
    assert.deepEqual(await bytesAt(driver, "d/a"), [1]);
  }),
  "describes what is there, and returns undefined for the rest (FS-111)": withDriver(
    async (driver) => {
      await driver.mkdir(path("d"), {});
      await driver.write(path("d/a"), ONE, "create", {});
      const kinds = await Promise.all(
        ["", "d", "d/a", "x", "d/a/x"].map(
          async (each) => (await driver.stat(path(each), {}))?.kind,
        ),
      );
      assert.deepEqual(kinds, ["directory", "directory", "file", undefined, undefined]);
    },
  ),
  "removes a file or an empty directory (FS-111)": withDriver(async (driver) => {
    await driver.mkdir(path("d"), {});
    await driver.write(path("a"), ONE, "create", {});
    await driver.remove(path("a"), {});
    await driver.remove(path("d"), {});
    assert.deepEqual([...(await driver.list(path(""), {}))], []);
  }),
  "appends no bytes without a change of the content (FS-111)": withDriver(async (driver) => {
    await driver.write(path("a"), ONE, "create", {});
    await driver.write(path("a"), new Uint8Array(), "append", {
      permissions: 0o600,
      modifiedAtMs: 1000,
    });
    assert.deepEqual(await bytesAt(driver, "a"), [1]);
    const stat = await driver.stat(path("a"), {});
    const { stores = [] } = driver;
    if (stores.includes("modes")) assert.equal(stat?.mode, 0o600);
    if (stores.includes("times")) assert.equal(stat?.modifiedAtMs, 1000);
  }),
});
