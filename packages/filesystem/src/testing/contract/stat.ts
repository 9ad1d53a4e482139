import assert from "node:assert/strict";
import { defineArea, eachRow } from "./contract-case.js";
import { expectFailure } from "./expect-failure.js";

export const stat = defineArea("stat", {
  "describes a file (FS-23)": async (open) => {
    const fs = await open();
    const { revision } = await fs.write("d/a.txt", "héllo");
    const { createdAt, modifiedAt, mode, ...rest } = await fs.stat("d/a.txt");
    assert.deepEqual(rest, {
      path: "d/a.txt",
      kind: "file",
      isFile: true,
      isDirectory: false,
      sizeBytes: 6,
      identity: "d/a.txt",
      revision,
    });
    assert.equal(mode, 0o644);
    for (const time of [createdAt, modifiedAt])
      if (time !== undefined) assert.equal(new Date(time).toISOString(), time);
  },
  "describes a directory, which has neither size nor revision (FS-23)": async (open) => {
    const fs = await open();
    await fs.write("d/a.txt", "héllo");
    const { createdAt: _, modifiedAt: __, mode, ...rest } = await fs.stat("d");
    assert.deepEqual(rest, {
      path: "d",
      kind: "directory",
      isFile: false,
      isDirectory: true,
      sizeBytes: 0,
      identity: "d",
      revision: undefined,
    });
    assert.equal(mode, 0o755);
  },
  "describes the root, whose path is empty (FS-9, FS-23)": async (open) => {
    const fs = await open();
    const { path, kind } = await fs.stat("/");
    assert.deepEqual([path, kind], ["", "directory"]);
  },
  "counts bytes, not characters (FS-23)": async (open) => {
    const fs = await open();
    await fs.write("a", "😀é");
    assert.equal((await fs.stat("a")).sizeBytes, 6);
    await fs.write("a", "x", { mode: "append" });
    assert.equal((await fs.stat("a")).sizeBytes, 7);
  },
  ...eachRow(
    [
      { path: "missing", code: "ENOENT" },
      { path: "missing/x", code: "ENOENT" },
      { path: "file/below", code: "ENOTDIR" },
    ] as const,
    ({ path, code }) => `fails with ${code} for ${path}, and exists returns false (FS-22, FS-65)`,
    ({ path, code }) =>
      async (open) => {
        const fs = await open();
        await fs.write("file", "1");
        await expectFailure(fs.stat(path), code, { operation: "stat", path });
        assert.equal(await fs.exists(path), false);
      },
  ),
  "and exists report files and directories until they are deleted (FS-22)": async (open) => {
    const fs = await open();
    await fs.write("d/a", "");
    assert.deepEqual(
      [await fs.exists("d"), await fs.exists("d/a"), await fs.exists(".")],
      [true, true, true],
    );
    await fs.delete("d", { recursive: true });
    assert.deepEqual(
      [await fs.exists("d"), await fs.exists("d/a"), await fs.exists(".")],
      [false, false, true],
    );
  },
  "of the filesystem itself: root, readOnly, limits and quotas (FS-73)": async (open) => {
    const fs = await open({ quotas: { maxFileBytes: 10 }, limits: { defaultReadLines: 5 } });
    assert.equal(typeof fs.root, "string");
    assert.equal(fs.readOnly, false);
    assert.equal(fs.mountPoint, undefined);
    assert.equal(fs.limits.defaultReadLines, 5);
    assert.equal(fs.limits.maxWriteBytes, 33_554_432);
    assert.deepEqual(fs.quotas, { maxFileBytes: 10 });
  },
});
