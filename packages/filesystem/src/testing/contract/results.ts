import assert from "node:assert/strict";
import { defineArea } from "./contract-case.js";

export const results = defineArea("results", {
  "are frozen (FS-69)": async (open) => {
    const fs = await open();
    const written = await fs.write("d/a", "hit");
    const listed = await fs.list("d");
    const globbed = await fs.glob("**");
    const grepped = await fs.grep("hit");
    const values = [
      written,
      await fs.read("d/a"),
      await fs.readBytes("d/a"),
      await fs.stat("d/a"),
      await fs.stat("d"),
      await fs.usage(),
      listed,
      listed[0],
      await fs.list("d", { limit: 0 }),
      globbed,
      globbed[0],
      grepped,
      grepped[0],
      grepped.skipped,
      fs.limits,
      fs.quotas,
    ];
    for (const value of values) assert.equal(Object.isFrozen(value), true, JSON.stringify(value));
  },
  "are plain data with real arrays (FS-69)": async (open) => {
    const fs = await open();
    await fs.write("a", "hit");
    for (const found of [await fs.list(), await fs.glob("*"), await fs.grep("hit")]) {
      assert.equal(Array.isArray(found), true);
      assert.equal(found.length, 1);
      assert.deepEqual(Object.keys(found), ["0"]);
      assert.deepEqual(JSON.parse(JSON.stringify(found)), [...found]);
      // Copied by spread, because a test framework may run each file in its own realm, and a clone belongs to another
      // one.
      for (const entry of found) assert.deepEqual({ ...structuredClone(entry) }, { ...entry });
    }
    for (const value of [await fs.read("a"), await fs.stat("a"), await fs.usage()])
      assert.deepEqual({ ...structuredClone(value) }, { ...value });
  },
  "contain bytes as a plain Uint8Array (FS-20)": async (open) => {
    const fs = await open();
    await fs.write("a", "hit");
    const { content } = await fs.readBytes("a");
    assert.equal(Object.getPrototypeOf(content), Uint8Array.prototype);
    await using reader = await fs.openRead("a");
    assert.equal(Object.getPrototypeOf(await reader.read()), Uint8Array.prototype);
  },
  "do not change when the file changes later (FS-69)": async (open) => {
    const fs = await open();
    await fs.write("a", "before");
    const [page, bytes, described] = [
      await fs.read("a"),
      await fs.readBytes("a"),
      await fs.stat("a"),
    ];
    await fs.write("a", "after it all");
    assert.equal(page.content, "before");
    assert.equal(Buffer.from(bytes.content).toString(), "before");
    assert.equal(described.sizeBytes, 6);
  },
});
