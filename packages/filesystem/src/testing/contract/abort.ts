import assert from "node:assert/strict";
import type { CallOptions, Filesystem } from "../../protocol/filesystem.js";
import { defineArea, eachRow } from "./contract-case.js";
import { failureOf } from "./expect-failure.js";
import { treeOf } from "./tree-of.js";

const CALLS: Readonly<Record<string, (fs: Filesystem, options: CallOptions) => Promise<unknown>>> =
  {
    read: (fs, options) => fs.read("a", options),
    readBytes: (fs, options) => fs.readBytes("a", options),
    exists: (fs, options) => fs.exists("a", options),
    stat: (fs, options) => fs.stat("a", options),
    list: (fs, options) => fs.list(".", options),
    glob: (fs, options) => fs.glob("*", options),
    grep: (fs, options) => fs.grep("1", options),
    write: (fs, options) => fs.write("a", "2", options),
    writeBytes: (fs, options) => fs.writeBytes("a", new Uint8Array(), options),
    delete: (fs, options) => fs.delete("a", options),
    mkdir: (fs, options) => fs.mkdir("b", options),
    copy: (fs, options) => fs.copy("a", "b", options),
    move: (fs, options) => fs.move("a", "b", options),
    readlink: (fs, options) => fs.readlink("a", options).catch(ignoreUnless(options)),
    realpath: (fs, options) => fs.realpath("a", options),
    contentId: (fs, options) => fs.contentId("a", options),
    symlink: (fs, options) => fs.symlink("a", "b", options).catch(ignoreUnless(options)),
    chmod: (fs, options) => fs.chmod("a", 0o600, options).catch(ignoreUnless(options)),
    utimes: (fs, options) => fs.utimes("a", new Date(0), options).catch(ignoreUnless(options)),
    openRead: (fs, options) => fs.openRead("a", options),
    openWrite: (fs, options) => fs.openWrite("a", options),
    openText: (fs, options) => fs.openText("a", options),
    usage: (fs, options) => fs.usage(options),
  };

/** Some backends store no links, modes or times, and refuse the call. An abort is reported anyway. */
function ignoreUnless({ signal }: CallOptions): (error: unknown) => void {
  return (error) => {
    if (signal?.aborted) throw error;
  };
}

export const abort = defineArea("abort", {
  ...eachRow(
    Object.entries(CALLS),
    ([operation]) => `ends ${operation} with the signal's reason and changes nothing (FS-70)`,
    ([, call]) =>
      async (open) => {
        const fs = await open();
        await fs.write("a", "1");
        const reason = new Error("enough");
        const signal = AbortSignal.abort(reason);
        assert.equal(await failureOf(call(fs, { signal })), reason);
        assert.deepEqual(await treeOf(fs), { a: "1" });
        await call(fs, { signal: new AbortController().signal });
      },
  ),
  "ends a read stream (FS-70)": async (open) => {
    const fs = await open();
    await fs.write("a", "0123456789");
    const controller = new AbortController();
    await using reader = await fs.openRead("a", { chunkBytes: 2, signal: controller.signal });
    await reader.read();
    controller.abort(new Error("enough"));
    assert.equal(await failureOf(reader.read()), controller.signal.reason);
  },
  "ends a write stream, which then has no effect (FS-70)": async (open) => {
    const fs = await open();
    await fs.write("a", "1");
    for (const path of ["a", "d/b"]) {
      const controller = new AbortController();
      const writer = await fs.openWrite(path, { signal: controller.signal });
      await writer.write("2");
      controller.abort(new Error("enough"));
      assert.equal(await failureOf(writer.write("3")), controller.signal.reason);
      assert.equal(await failureOf(writer.close()), controller.signal.reason);
    }
    const controller = new AbortController();
    const writer = await fs.openWrite("a", { signal: controller.signal });
    await writer.write("2");
    controller.abort(new Error("enough"));
    assert.equal(await failureOf(writer.close()), controller.signal.reason);
    assert.deepEqual(await treeOf(fs), { a: "1" });
  },
  "completes a copy of many files or undoes it (FS-70)": async (open) => {
    const fs = await open();
    for (let index = 0; index < 400; index++) await fs.write(`d/${index % 20}/${index}`, "x");
    const before = await fs.usage();
    for (const delayMs of [0, 1, 3, 9]) {
      const controller = new AbortController();
      const copying = fs.copy("d", "e", { signal: controller.signal });
      setTimeout(() => controller.abort(new Error("enough")), delayMs);
      const [outcome] = await Promise.allSettled([copying]);
      if (outcome.status === "rejected") {
        assert.equal(outcome.reason, controller.signal.reason);
        assert.deepEqual(await fs.usage(), before);
      } else {
        assert.equal((await fs.usage()).fileCount, 800);
        await fs.delete("e", { recursive: true });
      }
    }
  },
  "ends a queued change (FS-70, FS-71)": async (open) => {
    const fs = await open();
    const controller = new AbortController();
    const first = fs.write("a", "1");
    const second = Promise.allSettled([fs.write("b", "2", { signal: controller.signal })]);
    controller.abort(new Error("enough"));
    await first;
    const [outcome] = await second;
    // The change may have started before the abort. A partial change is not allowed.
    if (outcome.status === "rejected") assert.equal(outcome.reason, controller.signal.reason);
    assert.equal(await fs.exists("b"), outcome.status === "fulfilled");
  },
});
