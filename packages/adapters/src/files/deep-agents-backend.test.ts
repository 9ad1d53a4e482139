import { InMemoryFilesystem } from "@wink/filesystem";
import { describe, expect, it } from "vitest";
import { toDeepAgentsBackend } from "./deep-agents-backend.js";

function create() {
  const filesystem = new InMemoryFilesystem({
    files: {
      "a.txt": "one\ntwo\nthree\n",
      "src/b.ts": "const b = 1;\n",
      "src/deep/c.ts": "const c = b;\n",
      "empty.txt": "",
      "image.png": new Uint8Array([0x89, 0x50, 0x4e, 0x47]),
    },
  });
  return { filesystem, backend: toDeepAgentsBackend(filesystem) };
}

describe("toDeepAgentsBackend", () => {
  it("lists a directory with sizes, and nothing for a missing one (AD-140)", async () => {
    const { backend } = create();
    const { files } = await backend.ls("/");
    expect(files?.map(({ path }) => path)).toEqual(["/a.txt", "/empty.txt", "/image.png", "/src/"]);
    expect(files?.[0]).toMatchObject({ is_dir: false, size: 14, modified_at: expect.any(String) });
    expect(await backend.ls("/no/")).toEqual({ files: [] });
  });

  it("reads pages of text, bytes of binary files, and says that a file is empty (AD-140)", async () => {
    const { backend } = create();
    expect(await backend.read("/a.txt", 1, 1)).toEqual({ content: "two", mimeType: "text/plain" });
    expect((await backend.read("/a.txt", 9)).error).toContain("has 4 lines");
    expect((await backend.read("/image.png")).content).toEqual(
      new Uint8Array([0x89, 0x50, 0x4e, 0x47]),
    );
    expect((await backend.read("/empty.txt")).content).toContain("empty contents");
    expect((await backend.read("/no")).error).toBe("'/no' was not found.");
    expect((await backend.read("/src")).error).toBe("'/src' is a directory.");
    expect((await backend.read("/../x")).error).toContain("Path traversal not allowed");
    expect((await backend.readRaw("/a.txt")).data).toMatchObject({
      content: "one\ntwo\nthree\n",
      modified_at: expect.any(String),
    });
  });

  it("writes text, and binary files from base64 (AD-140)", async () => {
    const { backend, filesystem } = create();
    expect(await backend.write("/new/x.txt", "x")).toEqual({
      path: "/new/x.txt",
      filesUpdate: null,
    });
    await backend.write("/p.png", Buffer.from([1, 255]).toString("base64"));
    expect((await filesystem.readBytes("p.png")).content).toEqual(new Uint8Array([1, 255]));
  });

  it("edits one or all occurrences, and refuses an ambiguous or missing text (AD-140)", async () => {
    const { backend, filesystem } = create();
    expect(await backend.edit("/a.txt", "two", "2")).toMatchObject({ occurrences: 1 });
    expect((await backend.edit("/a.txt", "e", "E")).error).toContain("occurs 3 times");
    expect(await backend.edit("/a.txt", "e", "E", true)).toMatchObject({ occurrences: 3 });
    expect((await backend.edit("/a.txt", "zwei", "2")).error).toContain("does not contain");
    expect((await backend.edit("/a.txt", "", "2")).error).toContain("oldString cannot be empty");
    expect(await backend.edit("/empty.txt", "", "now")).toMatchObject({ occurrences: 0 });
    expect((await filesystem.read("a.txt")).content).toBe("onE\n2\nthrEE\n");
    expect((await filesystem.read("empty.txt")).content).toBe("now");
  });

  it("searches by literal text and by glob (AD-140)", async () => {
    const { backend } = create();
    expect(await backend.grep("const", "/src", "*.ts", 1)).toEqual({
      matches: [{ path: "/src/b.ts", line: 1, text: "const b = 1;" }],
      truncated: true,
    });
    expect((await backend.grep("[")).matches).toEqual([]);
    expect((await backend.grep("x", "/no")).matches).toEqual([]);
    const { files } = await backend.glob("**/*.ts", "/");
    expect(files?.map(({ path }) => path)).toEqual(["/src/b.ts", "/src/deep/c.ts"]);
  });

  it("deletes files, directories and the contents of the root (AD-140)", async () => {
    const { backend, filesystem } = create();
    expect(await backend.delete("/src")).toMatchObject({ path: "/src" });
    expect((await backend.delete("/src")).error).toContain("was not found");
    await backend.delete("/");
    expect(await filesystem.list(".")).toEqual([]);
  });

  it("neither reads nor writes links, and deletes only the link (AD-140)", async () => {
    const { backend, filesystem } = create();
    await filesystem.symlink("a.txt", "link");
    await filesystem.symlink("src", "folder");
    expect((await backend.read("/link")).error).toContain("symlink");
    expect((await backend.write("/link", "x")).error).toContain("symlink");
    expect((await backend.delete("/folder/b.ts")).error).toContain("Symlink parent not allowed");
    await backend.delete("/link");
    expect(await filesystem.exists("a.txt")).toBe(true);
  });

  it("moves files in and out, each with its own error (AD-140)", async () => {
    const { backend } = create();
    const uploaded = await backend.uploadFiles([
      ["/up", new Uint8Array([1])],
      ["/../x", new Uint8Array()],
    ]);
    expect(uploaded.map(({ error }) => error)).toEqual([null, "permission_denied"]);
    const downloaded = await backend.downloadFiles(["/up", "/no", "/src"]);
    expect(downloaded.map(({ error }) => error)).toEqual([null, "file_not_found", "is_directory"]);
    expect(downloaded[0]?.content).toEqual(new Uint8Array([1]));
  });

  it("is rolled back by transact, also with concurrent calls (AD-141)", async () => {
    const { backend, filesystem } = create();
    const failing = filesystem.transact(async () => {
      await Promise.all([backend.write("/x", "x"), backend.edit("/a.txt", "one", "1")]);
      await backend.delete("/src");
      throw new Error("stop");
    });
    await expect(failing).rejects.toThrow("stop");
    expect((await backend.ls("/")).files).toHaveLength(4);
    expect((await backend.read("/a.txt")).content).toContain("one");
  });
});
