import { expect, it } from "vitest";
import { FilesystemError } from "../protocol/filesystem-error.js";
import { MockFilesystem } from "./mock-filesystem.js";

it("MockFilesystem records its calls (FS-75)", async () => {
  const fs = new MockFilesystem({ files: { "a.txt": "one\ntwo\n" } });
  expect((await fs.read("a.txt", { limit: 1 })).content).toBe("one\n");
  await fs.write("b.txt", "new");
  await expect(fs.read("missing")).rejects.toMatchObject({ code: "ENOENT" });
  expect(fs.calls).toEqual([
    { operation: "read", args: ["a.txt", { limit: 1 }] },
    { operation: "write", args: ["b.txt", "new"] },
    { operation: "read", args: ["missing"] },
  ]);
  expect((await fs.files.read("b.txt")).content).toBe("new");
  expect(fs.calls).toHaveLength(3);
});

it("MockFilesystem fails as often as requested (FS-75)", async () => {
  const fs = new MockFilesystem();
  const full = new FilesystemError("EDQUOT", { operation: "write", path: "a" });
  fs.failNext("write", full);
  fs.failNext("write");
  await expect(fs.write("a", "1")).rejects.toBe(full);
  expect(await fs.exists("a")).toBe(false);
  await expect(fs.write("a", "1")).rejects.toMatchObject({ code: "EIO", operation: "write" });
  await fs.write("a", "1");
  expect((await fs.read("a")).content).toBe("1");
});

it("MockFilesystem clears calls and failures on reset (FS-75)", async () => {
  const fs = new MockFilesystem();
  fs.failNext("list");
  await fs.exists("a");
  fs.reset();
  expect(fs.calls).toEqual([]);
  expect(await fs.list()).toEqual([]);
});

it("MockFilesystem accepts the options of InMemoryFilesystem (FS-75)", async () => {
  const fs = new MockFilesystem({ readOnly: true, mountPoint: "/w", quotas: { maxFileBytes: 1 } });
  expect([fs.readOnly, fs.mountPoint, fs.root, fs.quotas]).toEqual([
    true,
    "/w",
    "/w",
    { maxFileBytes: 1 },
  ]);
  await expect(fs.mkdir("a")).rejects.toMatchObject({ code: "EROFS" });
});
