import assert from "node:assert/strict";
import type { Filesystem } from "../../protocol/filesystem.js";
import { defineArea, eachRow } from "./contract-case.js";
import { expectFailure } from "./expect-failure.js";

const CHANGES: Readonly<Record<string, (fs: Filesystem) => Promise<unknown>>> = {
  write: (fs) => fs.write("a", "1"),
  writeBytes: (fs) => fs.writeBytes("a", new Uint8Array()),
  delete: (fs) => fs.delete("a"),
  mkdir: (fs) => fs.mkdir("a"),
  copy: (fs) => fs.copy("a", "b"),
  move: (fs) => fs.move("a", "b"),
  openWrite: (fs) => fs.openWrite("a"),
};

export const readOnly = defineArea("read-only", {
  ...eachRow(
    Object.entries(CHANGES),
    ([operation]) => `refuses ${operation} (FS-63)`,
    ([operation, change]) =>
      async (open) => {
        const fs = await open({ readOnly: true });
        assert.equal(fs.readOnly, true);
        await expectFailure(change(fs), "EROFS", { operation });
      },
  ),
  "still reads, lists and searches (FS-63)": async (open) => {
    const fs = await open({ readOnly: true });
    assert.deepEqual([...(await fs.list())], []);
    assert.deepEqual([...(await fs.glob("**"))], []);
    assert.deepEqual([...(await fs.grep("x"))], []);
    assert.equal(await fs.exists("."), true);
    assert.equal((await fs.usage()).nodeCount, 0);
    await expectFailure(fs.read("a"), "ENOENT");
  },
});
