import { describe, expect, it } from "vitest";
import { InMemoryFilesystem } from "./in-memory-filesystem.js";

describe("InMemoryFilesystem", () => {
  it("starts with the given files, text or bytes (FS-79)", async () => {
    const fs = new InMemoryFilesystem({
      files: { "a/b.txt": "text", "/c.bin": Uint8Array.of(255), "d\\e": "", ["__proto__"]: "own" },
    });
    expect((await fs.glob("**")).map(({ path }) => path)).toEqual([
      "__proto__",
      "a/b.txt",
      "c.bin",
      "d/e",
    ]);
    expect((await fs.readBytes("c.bin")).content).toEqual(Uint8Array.of(255));
  });

  it.each([
    [{ "../a": "" }, "EACCES"],
    [{ "a\0": "" }, "EINVAL"],
    [{ a: "\ud800" }, "EINVAL"],
    [{ "a/": "" }, "EISDIR"],
    [{ ".": "" }, "EISDIR"],
    [{ "a/b": "", a: "" }, "EISDIR"],
    [{ a: "", "a/b": "" }, "ENOTDIR"],
  ])("refuses to start with %j (FS-79)", (files, code) => {
    expect(() => new InMemoryFilesystem({ files })).toThrow(expect.objectContaining({ code }));
  });

  it("copies the bytes of its initial files (FS-79)", async () => {
    const bytes = Uint8Array.of(1);
    const fs = new InMemoryFilesystem({ files: { a: bytes } });
    bytes[0] = 2;
    expect((await fs.readBytes("a")).content).toEqual(Uint8Array.of(1));
  });

  it("does not apply limits and quotas to its initial files, only to later writes (FS-79)", async () => {
    const deep = "d/".repeat(30);
    const fs = new InMemoryFilesystem({
      files: { [`${deep}f`]: "x", ".git/config": "y", ["n".repeat(200)]: "z" },
      quotas: { maxTotalBytes: 1 },
      readOnly: false,
    });
    expect((await fs.read(`${deep}f`)).content).toBe("x");
    expect((await fs.read("n".repeat(200))).content).toBe("z");
    await fs.write("n".repeat(200), "");
    await expect(fs.write(".git/config", "")).rejects.toMatchObject({ code: "EACCES" });
    await expect(fs.write("more", "1")).rejects.toMatchObject({ code: "EDQUOT" });
  });

  it.each(["copy", "move"] as const)(
    "refuses a %s of a directory that contains a .git (FS-37, TM-8)",
    async (call) => {
      const files = { "vendor/lib/.git/config": "[core]", "vendor/lib/a.c": "" };
      const fs = new InMemoryFilesystem({ files });
      await expect(fs[call]("vendor", "mine")).rejects.toMatchObject({ code: "EACCES" });
      await expect(fs[call]("vendor/lib", "mine")).rejects.toMatchObject({ code: "EACCES" });
      expect((await fs.list()).map(({ name }) => name)).toEqual(["vendor"]);
      await fs.copy("vendor/lib/.git/config", "readable");
      expect((await fs.read("readable")).content).toBe("[core]");
    },
  );

  it.each(["workspace", "/a/", "/a//b", "/../a", "/.", "", "/a\\b", "/ a"])(
    "refuses %j as a mount point (FS-7)",
    (mountPoint) => {
      expect(() => new InMemoryFilesystem({ mountPoint })).toThrow(
        expect.objectContaining({ code: "EINVAL" }),
      );
    },
  );

  it("records when a file was created and changed, and ignores a write of the same content (B70, FS-23, FS-29)", async () => {
    let now = Date.parse("2020-01-01T00:00:00Z");
    const fs = new InMemoryFilesystem({ clock: () => now });
    await fs.write("a", "1");
    now += 60_000;
    const before = await fs.stat("a");
    await fs.write("a", "1");
    expect(await fs.stat("a")).toEqual(before);
    await fs.write("a", "2");
    expect(await fs.stat("a")).toMatchObject({
      createdAt: "2020-01-01T00:00:00.000Z",
      modifiedAt: "2020-01-01T00:01:00.000Z",
    });
  });

  it("truncates the page of a streamed file that is one line of 100 MB (B60, FS-16)", async () => {
    const fs = new InMemoryFilesystem({ limits: { maxReadBytes: 1_000 } });
    const writer = await fs.openWrite("line");
    for (let index = 0; index < 100; index++) await writer.write("x".repeat(1_000_000));
    await writer.close();
    const page = await fs.read("line", { limit: 1 });
    expect([page.content.length, page.totalLines, page.truncated]).toEqual([1_000, 1, true]);
  });

  it("lists 100,000 files in pages and reports that there are more (B71, FS-24)", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 100_001 }, (_, index) => [`d/f${String(index).padStart(6, "0")}`, ""]),
    );
    const fs = new InMemoryFilesystem({ files });
    const all = await fs.list("d");
    expect([all.length, all.truncated, all[99_999]?.name]).toEqual([100_000, true, "f099999"]);
    const rest = await fs.list("d", { offset: 100_000 });
    expect([rest.map(({ name }) => name), rest.truncated]).toEqual([["f100000"], false]);
  });

  it("caches the list of an unchanged directory (FS-77)", async () => {
    const fs = new InMemoryFilesystem({ files: { "d/a": "", "d/b": "", "e/c": "" } });
    const before = await fs.list("d");
    await fs.write("e/new", "");
    await fs.write("d/a", "other content");
    expect(await fs.list("d")).toBe(before);
    await fs.delete("d/a");
    expect(await fs.list("d")).not.toBe(before);
  });

  it("searches the current files, whatever an earlier search cached (FS-40, FS-47, FS-71)", async () => {
    const fs = new InMemoryFilesystem({ files: { "a/b/x.ts": "one", "a/y.ts": "one" } });
    const search = async () => ({
      names: (await fs.glob("**/*.ts")).map(({ path }) => path),
      lines: (await fs.grep(".*")).map(({ path, lineContent }) => `${path}: ${lineContent}`),
    });
    const first = await search();
    const kept = await fs.snapshot();

    await fs.write("a/b/x.ts", "two");
    await fs.copy("a", "c");
    await fs.write("c/b/x.ts", "three");
    await fs.delete("a/y.ts");
    expect(await search()).toEqual({
      names: ["a/b/x.ts", "c/b/x.ts", "c/y.ts"],
      lines: ["a/b/x.ts: two", "c/b/x.ts: three", "c/y.ts: one"],
    });
    await fs.move("c", "a/c");
    expect((await search()).names).toEqual(["a/b/x.ts", "a/c/b/x.ts", "a/c/y.ts"]);
    await fs.restore(kept);
    expect(await search()).toEqual(first);
  });

  it("copies initial bytes, so that a caller cannot change them (FS-28, FS-79)", async () => {
    const seed = Buffer.from("given");
    const fs = new InMemoryFilesystem({ files: { a: seed } });
    seed.fill("x");
    expect((await fs.read("a")).content).toBe("given");
  });

  it("normalises another spelling of a known path (FS-1, FS-3, FS-8)", async () => {
    const fs = new InMemoryFilesystem({ files: { "a/b": "one" }, mountPoint: "/m" });
    const code = (path: string) =>
      fs.read(path).then(
        ({ content }) => content,
        (error) => error.code,
      );
    const spellings = ["a/b", "a//b", "/m/a/b", "a/b/", "/a/b", "../a/b", "a\\b", "a/b\0"];
    const answers = ["one", "one", "one", "ENOTDIR", "EACCES", "EACCES", "one", "EINVAL"];
    for (const _ of ["unknown", "known"])
      expect(await Promise.all(spellings.map(code))).toEqual(answers);
    await fs.delete("a/b");
    expect(await code("a/b")).toBe("ENOENT");
    await fs.mkdir("a/b");
    expect(await code("a/b")).toBe("EISDIR");
  });

  it("shows one version to a search during concurrent writes (C89, FS-71)", async () => {
    const fs = new InMemoryFilesystem({ limits: { maxGrepMatches: 5_000 } });
    for (let index = 0; index < 2_000; index++)
      await fs.write(`d${index % 40}/f${index}`, "before\n");
    const search = fs.grep("before|after");
    const writes = Array.from({ length: 2_000 }, (_, index) =>
      fs.write(`d${index % 40}/f${index}`, "after\n"),
    );
    const [found] = await Promise.all([search, ...writes]);
    // One line per file, old or new; no file is missing or found twice.
    expect(new Set(found.map(({ path }) => path)).size).toBe(2_000);
    expect(found.length).toBe(2_000);
  });
});
