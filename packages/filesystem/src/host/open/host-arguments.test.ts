import { expect, it } from "vitest";
import { removeHostTree, removeHostTreeNow } from "../containment/remove-tree.js";
import { AppendFile } from "../process/append-file.js";
import { ProcessLock } from "../process/process-lock.js";
import { saveFile } from "../process/save-file.js";
import { scratch } from "../snapshots/store-fixture.test.support.js";
import { HostFilesystem } from "./host-filesystem.js";
import { openHostDriver } from "./open-host-driver.js";

// Calls as JavaScript can make them.
const open = HostFilesystem.open as (...args: unknown[]) => Promise<HostFilesystem>;
const openDriver = openHostDriver as (...args: unknown[]) => Promise<unknown>;
const invalid = expect.objectContaining({ name: "FilesystemError", code: "EINVAL" });

it.each([undefined, null, 7, {}, [], "", "a\0b"])(
  "a path of %j is EINVAL in every function of the host (FS-65)",
  async (path) => {
    const wrong = path as string;
    await expect(open(path)).rejects.toEqual(invalid);
    await expect(openDriver(path)).rejects.toEqual(invalid);
    await expect(removeHostTree(wrong)).rejects.toEqual(invalid);
    expect(() => removeHostTreeNow(wrong)).toThrow(invalid);
    expect(() => saveFile(wrong, "")).toThrow(invalid);
    expect(() => new ProcessLock(wrong)).toThrow(invalid);
    expect(() => new AppendFile(wrong, { sizeBytes: 0, fsync: false })).toThrow(invalid);
  },
);

it.each([
  [null, "options must be an object, got null"],
  ["fsync", "options must be an object, got a string"],
  [{ readonly: true }, "unknown option 'readonly'. Did you mean 'readOnly'?"],
  [{ storeDir: "x" }, "unknown option 'storeDir'. Did you mean 'storeDirectory'?"],
])("the options %j are EINVAL, and the message says why (FS-65)", async (options, reason) => {
  const root = scratch();
  const error: unknown = await open(root, options).catch((thrown: unknown) => thrown);
  expect(error).toEqual(invalid);
  expect(String(error)).toContain(reason);
});

it("the options of the driver are checked too (FS-65)", async () => {
  await expect(openDriver(scratch(), { crossMount: true })).rejects.toThrow(
    "Did you mean 'crossMounts'?",
  );
});

it("a missing directory is named (FS-65)", async () => {
  await expect(open(`${scratch()}/project`)).rejects.toThrow("open 'project'");
});
