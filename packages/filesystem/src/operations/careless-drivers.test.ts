import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createFilesystem } from "../backend/create-filesystem.js";
import type { FilesystemDriver } from "../driver/driver.js";
import type { VirtualPath } from "../path/virtual-path.js";
import type { Filesystem } from "../protocol/filesystem.js";
import { FilesystemError } from "../protocol/filesystem-error.js";
import { mapDriver } from "../testing/map-driver.test.support.js";

describe("a filesystem with an unreliable driver", () => {
  it("streams a large file by reading each part at most twice (FS-51, FS-52)", async () => {
    const plain = mapDriver();
    let bytesRead = 0;
    const driver: FilesystemDriver = {
      ...plain,
      async read(path, offset, length, options) {
        const bytes = await plain.read(path, offset, length, options);
        bytesRead += bytes.length;
        return bytes;
      },
    };
    const fs = createFilesystem(driver, { limits: { maxReadBytes: 100 } });
    const content = randomBytes(5_000_000);
    await fs.writeBytes("a", content);
    bytesRead = 0;
    const chunks: Uint8Array[] = [];
    for await (const chunk of await fs.openRead("a")) chunks.push(chunk);
    expect(Buffer.concat(chunks).equals(content)).toBe(true);
    expect(bytesRead).toBeLessThanOrEqual(2 * content.length);
  });

  it("fails with ESTALE when a driver returns fewer bytes than it reported (B63, FS-52)", async () => {
    const plain = mapDriver();
    const size = 3 * 1024 * 1024;
    const driver: FilesystemDriver = {
      ...plain,
      stat: async (path, options) => {
        const stat = await plain.stat(path, options);
        return stat?.kind === "file" ? { ...stat, sizeBytes: size } : stat;
      },
    };
    const fs = createFilesystem(driver, { limits: { maxReadBytes: 100 } });
    await plain.write("a" as VirtualPath, new Uint8Array(size - 10), "create", {});
    await using reader = await fs.openRead("a", { offset: size - 20 });
    await expect(reader.read()).rejects.toMatchObject({ code: "ESTALE" });
  });

  it("appends to a large file without holding it in memory, and returns its revision (FS-21)", async () => {
    const plain = mapDriver();
    let most = 0;
    const driver: FilesystemDriver = {
      ...plain,
      read: (path, offset, length, options) => {
        most = Math.max(most, length);
        return plain.read(path, offset, length, options);
      },
    };
    const fs = createFilesystem(driver);
    await plain.write("a" as VirtualPath, new Uint8Array(33 * 1024 * 1024), "create", {});
    const refused = fs.write("a", "more", { mode: "append" });
    await expect(refused).rejects.toMatchObject({ code: "EFBIG" });
    const writer = await fs.openWrite("a", { mode: "append" });
    await writer.write("more");
    const { revision } = await writer.close();
    expect((await fs.stat("a")).revision).toBe(revision);
    expect(most).toBeLessThanOrEqual(1024 * 1024);
  });

  it("does not fail a completed write that cannot be read back (FS-67)", async () => {
    const plain = mapDriver();
    let broken = false;
    const driver: FilesystemDriver = {
      ...plain,
      read: (path, offset, length, options) => {
        if (broken) throw new Error("no");
        return plain.read(path, offset, length, options);
      },
    };
    const fs = createFilesystem(driver);
    const { revision } = await fs.write("a", "one");
    broken = true;
    expect((await fs.write("a", "two")).revision).not.toBe(revision);
    expect((await fs.write("a", "one")).revision).toBe(revision);
    // An append must read the old content, and it reads it before the write.
    await expect(fs.write("a", "more", { mode: "append" })).rejects.toMatchObject({ code: "EIO" });
    broken = false;
    expect(await fs.read("a")).toMatchObject({ content: "one", revision });
    const appended = await fs.write("a", "more", { mode: "append" });
    expect(await fs.read("a")).toMatchObject({ content: "onemore", revision: appended.revision });
  });

  it.each<[string, (fs: Filesystem) => Promise<unknown>]>([
    ["read", (fs) => fs.read("./a")],
    ["stat", (fs) => fs.stat("./a")],
    ["list", (fs) => fs.list("./a")],
    ["write", (fs) => fs.write("./a", "")],
    ["copy", (fs) => fs.copy("./a", "b")],
  ])(
    "reports errors of %s with the caller's operation and path, not the driver's (FS-65, FS-66)",
    async (operation, call) => {
      const fail = () => {
        throw new FilesystemError("EACCES", {
          operation: "get",
          path: "/secret/place",
          reason: "the bucket is closed",
        });
      };
      const fs = createFilesystem({ ...mapDriver(), stat: fail });
      await expect(call(fs)).rejects.toMatchObject({
        code: "EACCES",
        operation,
        path: "./a",
        message: `EACCES: ${operation} './a': the bucket is closed.`,
      });
    },
  );
});
