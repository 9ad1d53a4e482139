import { InMemoryFilesystem } from "@wink/filesystem";
import { describe, expect, it } from "vitest";
import { toMastraFilesystem } from "./mastra-filesystem.js";

function create() {
  const filesystem = new InMemoryFilesystem({
    files: { "a.txt": "one\n", "src/b.ts": "b\n", "src/deep/c.ts": "c\n", ".hidden": "h" },
  });
  return { filesystem, files: toMastraFilesystem(filesystem, { id: "shop" }) };
}

describe("toMastraFilesystem", () => {
  it("reads text and bytes (AD-142)", async () => {
    const { files } = create();
    expect(await files.readFile("/a.txt", { encoding: "utf-8" })).toBe("one\n");
    expect(await files.readFile("a.txt")).toEqual(Buffer.from("one\n"));
  });

  it("writes, appends, copies, moves and deletes (AD-142)", async () => {
    const { files, filesystem } = create();
    await files.writeFile("/new/x", "1");
    await files.appendFile("/new/x", new Uint8Array([50]));
    await files.copyFile("/new/x", "/y");
    await files.moveFile("/y", "/z");
    await files.mkdir("/d/e", { recursive: true });
    await files.rmdir("/d", { recursive: true });
    await files.deleteFile("/a.txt");
    await files.deleteFile("/a.txt", { force: true });
    expect((await filesystem.read("z")).content).toBe("12");
    expect(await files.exists("/a.txt")).toBe(false);
    expect(await files.exists("/../x")).toBe(false);
  });

  it("lists entries with sizes and links, also below (AD-142)", async () => {
    const { files, filesystem } = create();
    await filesystem.symlink("src", "link");
    expect(await files.readdir("/")).toEqual([
      { name: ".hidden", type: "file", size: 1 },
      { name: "a.txt", type: "file", size: 4 },
      { name: "link", type: "directory", isSymlink: true, symlinkTarget: "src" },
      { name: "src", type: "directory" },
    ]);
    const below = await files.readdir("/src", { recursive: true, extension: ".ts" });
    expect(below.map(({ name }) => name)).toEqual(["b.ts", "deep", "deep/c.ts"]);
    const shallow = await files.readdir("/src", { recursive: true, maxDepth: 1 });
    expect(shallow.map(({ name }) => name)).toEqual(["b.ts", "deep"]);
  });

  it("describes files and directories (AD-142)", async () => {
    const { files } = create();
    expect(await files.stat("/src/b.ts")).toMatchObject({
      ...{ name: "b.ts", path: "/src/b.ts", type: "file", size: 2, mimeType: "text/plain" },
      modifiedAt: expect.any(Date),
    });
    expect(await files.stat("/src")).toMatchObject({ type: "directory", size: 0 });
    expect(await files.realpath("/src/../a.txt")).toBe("/a.txt");
    expect(files.getInfo()).toMatchObject({ id: "shop", status: "ready", readOnly: false });
    expect(files.getInstructions()).toContain("below /");
  });

  it.each([
    ["FileNotFoundError", "ENOENT", "readFile", "/no"],
    ["IsDirectoryError", "EISDIR", "readFile", "/src"],
    ["DirectoryNotFoundError", "ENOENT", "readdir", "/no"],
    ["NotDirectoryError", "ENOTDIR", "readdir", "/a.txt"],
    ["DirectoryNotEmptyError", "ENOTEMPTY", "rmdir", "/src"],
    ["IsDirectoryError", "EISDIR", "deleteFile", "/src"],
    ["PermissionError", "EACCES", "readFile", "/../etc/passwd"],
  ] as const)("fails with %s (%s) in %s (AD-143)", async (name, code, call, path) => {
    const { files } = create();
    await expect(files[call](path)).rejects.toMatchObject({ name, code, path });
  });

  it("refuses to overwrite, and to write over a newer file (AD-143)", async () => {
    const { files } = create();
    const overwrite = files.writeFile("/a.txt", "2", { overwrite: false });
    await expect(overwrite).rejects.toMatchObject({ name: "FileExistsError" });
    const copied = files.copyFile("/src/b.ts", "/a.txt", { overwrite: false });
    await expect(copied).rejects.toMatchObject({ name: "FileExistsError", path: "/a.txt" });
    const stale = files.writeFile("/a.txt", "2", { expectedMtime: new Date(0) });
    await expect(stale).rejects.toMatchObject({ name: "StaleFileError" });
    const { modifiedAt } = await files.stat("/a.txt");
    await files.writeFile("/a.txt", "2", { expectedMtime: modifiedAt });
    expect(await files.readFile("/a.txt", { encoding: "utf8" })).toBe("2");
  });

  it("is rolled back by transact (AD-141)", async () => {
    const { files, filesystem } = create();
    const failing = filesystem.transact(async () => {
      await files.writeFile("/a.txt", "2");
      await files.rmdir("/src", { recursive: true });
      throw new Error("stop");
    });
    await expect(failing).rejects.toThrow("stop");
    expect(await files.readFile("/a.txt", { encoding: "utf8" })).toBe("one\n");
    expect(await files.exists("/src/deep/c.ts")).toBe(true);
  });
});
