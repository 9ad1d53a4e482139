import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { runGit, scratch } from "../snapshots/store-fixture.test.support.js";
import { ObjectDatabase } from "./object-database.js";
import { SHA1, SHA256 } from "./object-format.js";
import { RefFiles } from "./ref-files.js";
import { diskName, treeName } from "./tree-name.js";
import { decodeTree, encodeTree } from "./tree-object.js";
import { ZlibPieces, zlibStream } from "./zlib-stream.js";

const CONTENTS = [0, 1, 100, 4_095, 4_096, 65_535, 65_536, 300_000].map((length) =>
  Buffer.from(Array.from({ length }, (_, index) => (index * index * 31) >>> 3)),
);

describe("a stream", () => {
  it.each(CONTENTS.map((content) => ({ length: content.length, content })))(
    "of $length bytes can be inflated by zlib",
    ({ content }) => {
      expect(inflateSync(zlibStream(content)).equals(content)).toBe(true);
      const pieces = new ZlibPieces();
      const parts = [
        pieces.start(),
        pieces.piece(content.subarray(0, 7)),
        pieces.piece(content.subarray(7)),
        pieces.end(),
      ];
      expect(inflateSync(Buffer.concat(parts)).equals(content)).toBe(true);
    },
  );
});

describe("objects", () => {
  it.each([SHA1, SHA256])(
    "of $name can be read by git and by this store, loose and packed",
    (format) => {
      const directory = join(scratch(), "repository");
      execFileSync("git", ["init", "-q", "--bare", `--object-format=${format.name}`, directory]);
      for (const count of [3, 260]) {
        const objects = new ObjectDatabase(join(directory, "objects"), { format, fsync: false });
        const contents = Array.from({ length: count }, (_, index) =>
          Buffer.from(`${count} ${"x".repeat(index * 40)}`),
        );
        const ids = contents.map((content) => objects.put("blob", content));
        objects.settle();
        expect(objects.packs.size).toBe(count > 200 ? 1 : 0);
        const fresh = new ObjectDatabase(join(directory, "objects"), { format, fsync: false });
        ids.forEach((id, index) => {
          expect(fresh.read(id)).toEqual({ type: "blob", content: contents[index] });
          expect(fresh.sizeBytes(id)).toBeGreaterThan(0);
        });
        expect(runGit(directory, "cat-file", "blob", ids.at(-1) ?? "")).toBe(`${contents.at(-1)}`);
        objects.close();
        fresh.close();
      }
      expect(
        runGit(directory, "fsck", "--strict", "--full", "--no-dangling", "--unreachable"),
      ).not.toContain("error");
      runGit(directory, "repack", "-adq", "--keep-unreachable");
    },
  );

  it("that were discarded do not exist", () => {
    const objects = new ObjectDatabase(join(scratch(), "objects"), { format: SHA1, fsync: false });
    const id = objects.put("blob", Buffer.from("x"));
    objects.discard();
    expect(objects.has(id)).toBe(false);
  });
});

describe("names in trees", () => {
  it.each([
    ...[
      "plain",
      ".git",
      ".GIT",
      ".git.",
      ".git ",
      "git~1",
      "GIT~2",
      ".gitmodules",
      "gi7eba~1",
      ".g\u200cit",
      "\ufeff.git",
    ],
    ...["a\\b", "a\\.git", "%", "_wink_", "_wink_%5C", "_wink_.git", "~", "g", "m~1"],
  ])("decode to %j, and never look like git's own (D114)", (name) => {
    const raw = Buffer.from(name);
    const inTree = treeName(raw, "every");
    expect(diskName(inTree).equals(raw)).toBe(true);
    expect(inTree.toString()).not.toMatch(/^\.git|~\d$(?<!_wink_.*)|\\/i);
  });

  it("are sorted like in git, directories as if a slash followed", () => {
    const id = "1".repeat(40);
    const items = ["a.b", "a", "a0", "b", "B", "é", "\u{10ffff}"].map((name) => ({
      name,
      id,
      kind: name === "a" ? ("directory" as const) : ("file" as const),
    }));
    const decoded = decodeTree(SHA1, encodeTree(items));
    expect(decoded?.map(({ name }) => name)).toEqual([
      "B",
      "a.b",
      "a",
      "a0",
      "b",
      "é",
      "\u{10ffff}",
    ]);
  });

  it.each(["100644 ..\0", "100644 .\0", "100644 a/b\0", "160000 sub\0", "100600 odd\0"])(
    "that this store never writes are refused: %j (D132)",
    (line) => {
      expect(
        decodeTree(SHA1, Buffer.concat([Buffer.from(line), Buffer.alloc(20)])),
      ).toBeUndefined();
    },
  );
});

describe("references", () => {
  it.each(["git", "none"] as const)("are files that git reads, with locks: %s", (locks) => {
    const directory = join(scratch(), "repository");
    execFileSync("git", ["init", "-q", "--bare", directory]);
    const objects = new ObjectDatabase(join(directory, "objects"), { format: SHA1, fsync: false });
    const id = objects.put("tree", Buffer.alloc(0));
    objects.settle();
    const refs = new RefFiles(directory, { format: SHA1, fsync: true, locks });
    refs.write("refs/x/one", id);
    refs.write("refs/x/two", id);
    expect([...refs.list("refs/x/")]).toEqual([
      ["one", id],
      ["two", id],
    ]);
    runGit(directory, "pack-refs", "--all");
    expect(refs.read("refs/x/one")).toBe(id);
    refs.delete("refs/x/one");
    expect([...refs.names("refs/x/")]).toEqual(["two"]);
    expect(runGit(directory, "for-each-ref", "--format=%(refname)").trim()).toBe("refs/x/two");
  });
});
