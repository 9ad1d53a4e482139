import assert from "node:assert/strict";
import { defineArea, eachRow } from "./contract-case.js";
import { expectFailure } from "./expect-failure.js";

const SHA256: Readonly<Record<string, string>> = {
  "": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  abc: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
};

export const identity = defineArea("identity", {
  "of a node stays the same when it is written, and no other node has it (FS-106)": async (
    open,
  ) => {
    const fs = await open();
    await fs.write("d/a", "1");
    await fs.write("d/b", "1");
    const before = await Promise.all(["d", "d/a", "d/b"].map((path) => fs.stat(path)));
    await fs.write("d/a", "2");
    await fs.write("d/c", "3");
    const after = await Promise.all(["d", "d/a", "d/b"].map((path) => fs.stat(path)));
    const ids = before.map((stat) => stat.identity);
    assert.deepEqual(
      after.map((stat) => stat.identity),
      ids,
    );
    assert.equal(new Set(ids).size, 3);
  },
  "is the same for all spellings of a path (FS-106)": async (open) => {
    const fs = await open();
    await fs.write("d/a", "1");
    const stats = await Promise.all(["d/a", "/d//a", "d/x/../a"].map((path) => fs.stat(path)));
    assert.equal(new Set(stats.map((stat) => stat.identity)).size, 1);
  },
  "by realpath is the normal path (FS-106)": async (open) => {
    const fs = await open();
    await fs.write("d/a", "1");
    assert.deepEqual(
      [await fs.realpath("/d/./a"), await fs.realpath("d/"), await fs.realpath(".")],
      ["d/a", "d", ""],
    );
    await expectFailure(fs.realpath("missing"), "ENOENT", { operation: "realpath" });
    await expectFailure(fs.realpath("d/a/x"), "ENOTDIR");
    await expectFailure(fs.realpath("../d"), "EACCES");
  },
  ...eachRow(
    Object.entries(SHA256),
    ([text]) => `by contentId is the SHA-256 of ${JSON.stringify(text)} (FS-109)`,
    ([text, id]) =>
      async (open) => {
        const fs = await open();
        await fs.write("a", text);
        assert.equal(await fs.contentId("a"), id);
      },
  ),
  "by contentId follows the content (FS-109)": async (open) => {
    const fs = await open();
    await fs.write("a", "abc");
    await fs.writeBytes("b", Uint8Array.of(0x61, 0x62, 0x63));
    assert.equal(await fs.contentId("a"), await fs.contentId("b"));
    await fs.write("a", "d", { mode: "append" });
    assert.notEqual(await fs.contentId("a"), await fs.contentId("b"));
    await fs.writeBytes("c", new Uint8Array(3_000_000).fill(7));
    assert.equal((await fs.contentId("c")).length, 64);
  },
  "by contentId needs a file (FS-109)": async (open) => {
    const fs = await open({ limits: { maxReadFileBytes: 3 } });
    await fs.write("d/a", "1234");
    await expectFailure(fs.contentId("d"), "EISDIR", { operation: "contentId" });
    await expectFailure(fs.contentId("missing"), "ENOENT");
    await expectFailure(fs.contentId("d/a"), "EFBIG");
    await expectFailure(fs.contentId("../a"), "EACCES");
  },
  "of entries is listed in one call: sizes, modes and times (FS-110)": async (open) => {
    const fs = await open();
    await fs.write("d/a", "héllo");
    await fs.mkdir("d/e");
    await fs.write("d/run", "1", { executable: true });
    const entries = await fs.list("d", { details: true });
    const stats = await Promise.all(entries.map(({ path }) => fs.stat(path)));
    assert.deepEqual(
      entries.map(({ name, kind, sizeBytes, mode, modifiedAt }) => [
        name,
        kind,
        sizeBytes,
        mode,
        modifiedAt,
      ]),
      stats.map(({ path, kind, sizeBytes, mode, modifiedAt }) => [
        path.slice(2),
        kind,
        sizeBytes,
        mode,
        modifiedAt,
      ]),
    );
    assert.deepEqual(
      entries.map(({ sizeBytes }) => sizeBytes),
      [6, 0, 1],
    );
  },
  "of entries is listed in pages too (FS-24, FS-110)": async (open) => {
    const fs = await open();
    for (const name of ["a", "b", "c", "d"]) await fs.write(name, name.repeat(3));
    const page = await fs.list(".", { details: true, offset: 1, limit: 2 });
    assert.deepEqual(
      [page.map(({ name, sizeBytes }) => [name, sizeBytes]), page.truncated],
      [
        [
          ["b", 3],
          ["c", 3],
        ],
        true,
      ],
    );
  },
  "of entries is not listed unless requested (FS-110)": async (open) => {
    const fs = await open();
    await fs.write("a", "1");
    const [entry] = await fs.list();
    assert.deepEqual(Object.keys(entry ?? {}), ["name", "path", "kind", "isFile", "isDirectory"]);
    const [detailed] = await fs.list(".", { details: true });
    assert.equal(Object.isFrozen(detailed), true);
  },
});
