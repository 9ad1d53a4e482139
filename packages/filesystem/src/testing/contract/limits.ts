import assert from "node:assert/strict";
import { defineArea } from "./contract-case.js";
import { expectFailure, failureOf } from "./expect-failure.js";
import { treeOf } from "./tree-of.js";

export const limits = defineArea("limits", {
  "allow a write of exactly the maximum number of bytes, not characters (B57, FS-31)": async (
    open,
  ) => {
    const fs = await open({ limits: { maxWriteBytes: 8 } });
    await fs.write("a", "12345678");
    await fs.write("b", "😀😀");
    await fs.writeBytes("c", new Uint8Array(8));
    await expectFailure(fs.write("a", "123456789"), "EFBIG", { operation: "write" });
    await expectFailure(fs.write("b", "😀😀!"), "EFBIG");
    await expectFailure(fs.write("d", "ééééé"), "EFBIG");
    await expectFailure(fs.writeBytes("c", new Uint8Array(9)), "EFBIG", {
      operation: "writeBytes",
    });
    assert.deepEqual(await treeOf(fs), { a: "12345678", b: "😀😀", c: "\0".repeat(8) });
  },
  "allow a write of exactly 32 MiB in one call (B57, FS-31)": async (open) => {
    const fs = await open();
    const bytes = new Uint8Array(32 * 1024 * 1024 + 1);
    await expectFailure(fs.writeBytes("a", bytes), "EFBIG");
    assert.equal(await fs.exists("a"), false);
    assert.equal((await fs.writeBytes("a", bytes.subarray(1))).bytesWritten, 33_554_432);
    assert.equal((await fs.stat("a")).sizeBytes, 33_554_432);
  },
  "allow appending up to the maximum, and a refused append changes nothing (B58, FS-31)": async (
    open,
  ) => {
    const fs = await open({ limits: { maxWriteBytes: 8 } });
    await fs.write("a", "1234");
    await fs.write("a", "5678", { mode: "append" });
    await expectFailure(fs.write("a", "9", { mode: "append" }), "EFBIG");
    await expectFailure(fs.writeBytes("a", new Uint8Array(1), { mode: "append" }), "EFBIG");
    assert.equal((await fs.read("a")).content, "12345678");
  },
  "cut a page at its byte limit, between characters, and report it (B60, FS-16)": async (open) => {
    const fs = await open({ limits: { maxReadBytes: 10 } });
    await fs.write("a", "€€€€€");
    const page = await fs.read("a", { limit: 1 });
    assert.deepEqual([page.content, page.truncated, page.totalLines], ["€€€", true, 1]);
    await fs.write("b", "0123456789");
    assert.deepEqual(
      [(await fs.read("b")).content, (await fs.read("b")).truncated],
      ["0123456789", false],
    );
    await fs.write("c", "12345\n67890\n");
    assert.deepEqual(
      [(await fs.read("c")).content, (await fs.read("c")).truncated],
      ["12345\n6789", true],
    );
  },
  "make readBytes refuse a file that one call cannot read, unless it has a limit (FS-20)": async (
    open,
  ) => {
    const fs = await open({ limits: { maxReadBytes: 10 } });
    await fs.write("c", "12345\n67890\n");
    await expectFailure(fs.readBytes("c"), "EFBIG", { operation: "readBytes" });
    const advised = /12 bytes.* 10\. Pass a limit.* openRead\.$/;
    assert.match(String(await failureOf(fs.readBytes("c"))), advised);
    await expectFailure(fs.readBytes("c", { offset: 1 }), "EFBIG");
    assert.equal((await fs.readBytes("c", { offset: 2 })).content.length, 10);
    const bytes = await fs.readBytes("c", { limit: 99 });
    assert.deepEqual([bytes.content.length, bytes.limit, bytes.truncated], [10, 10, true]);
  },
  "make read refuse a file that is too large for text (B61, FS-17)": async (open) => {
    const fs = await open({ limits: { maxReadFileBytes: 10 } });
    await fs.write("a", "0123456789");
    await fs.write("b", "0123456789!");
    assert.equal((await fs.read("a")).content, "0123456789");
    await expectFailure(fs.read("b", { limit: 1 }), "EFBIG", { operation: "read", path: "b" });
    assert.equal((await fs.readBytes("b")).content.length, 11);
  },
  "set the default number of lines of a read (FS-15)": async (open) => {
    const fs = await open({ limits: { defaultReadLines: 2 } });
    await fs.write("a", "1\n2\n3\n");
    assert.deepEqual([(await fs.read("a")).content, (await fs.read("a")).limit], ["1\n2\n", 2]);
    assert.equal((await fs.read("a", { limit: 5 })).content, "1\n2\n3\n");
  },
  "set the chunk size of streams (FS-51)": async (open) => {
    const fs = await open({ limits: { streamChunkBytes: 4 } });
    await fs.write("a", "0123456789");
    const sizes: number[] = [];
    for await (const chunk of await fs.openRead("a")) sizes.push(chunk.length);
    assert.deepEqual(sizes, [4, 4, 2]);
  },
  "apply to the length of names and the depth of paths (FS-11)": async (open) => {
    const fs = await open({
      limits: { maxPathDepth: 2, maxSegmentCharacters: 3, maxSegmentBytes: 5 },
    });
    await fs.write("abc/é€", "1");
    await expectFailure(fs.write("a/b/c", ""), "EINVAL");
    await expectFailure(fs.write("abcd", ""), "EINVAL");
    await expectFailure(fs.write("€€", ""), "EINVAL");
    assert.deepEqual(await treeOf(fs), { abc: null, "abc/é€": "1" });
  },
  "and quotas must be whole numbers (FS-73)": async (open) => {
    for (const value of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      await assert.rejects(open({ limits: { maxWriteBytes: value } }), { code: "EINVAL" });
      await assert.rejects(open({ quotas: { maxTotalBytes: value } }), { code: "EINVAL" });
    }
  },
  "and quotas that are undefined have their default (FS-73)": async (open) => {
    const fs = await open({
      limits: { maxWriteBytes: undefined } as object,
      quotas: { maxFileBytes: undefined },
    });
    assert.equal(fs.limits.maxWriteBytes, 33_554_432);
    await fs.write("a", "1");
  },
});
