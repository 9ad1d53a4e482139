import assert from "node:assert/strict";
import { FilesystemError, isFilesystemError } from "../../protocol/filesystem-error.js";
import { defineArea } from "./contract-case.js";
import { expectFailure, failureOf } from "./expect-failure.js";

export const errors = defineArea("errors", {
  "are one class with a code (FS-65)": async (open) => {
    const fs = await open();
    const error = await failureOf(fs.read("no/such.txt"));
    assert(error instanceof FilesystemError);
    assert(isFilesystemError(error, "ENOENT"));
    assert.equal(isFilesystemError(error, "EISDIR"), false);
    assert.deepEqual(
      [error.name, error.code, error.operation, error.path, error.message],
      [
        "FilesystemError",
        "ENOENT",
        "read",
        "no/such.txt",
        "ENOENT: read 'no/such.txt': no such file or directory.",
      ],
    );
  },
  "show the path as the caller wrote it (FS-65)": async (open) => {
    const fs = await open();
    for (const path of ["./a//b", "/a/b", "a\\b", "x/../a"])
      await expectFailure(fs.read(path), "ENOENT", { path });
  },
  "include one for options that are not an object (FS-65)": async (open) => {
    const fs = await open();
    await fs.write("a", "1");
    const none = [null, 5, "utf8"] as unknown as undefined[];
    for (const options of none) {
      await expectFailure(fs.read("a", options), "EINVAL", { operation: "read" });
      await expectFailure(fs.write("a", "2", options), "EINVAL", { operation: "write" });
      await expectFailure(fs.list(".", options), "EINVAL", { operation: "list" });
      await expectFailure(fs.grep("1", options), "EINVAL", { operation: "grep" });
      await expectFailure(fs.copy("a", "b", options), "EINVAL", { operation: "copy" });
    }
    const signal = {} as AbortSignal;
    await expectFailure(fs.read("a", { signal }), "EINVAL");
    await expectFailure(fs.read("a", { encoding: 5 as unknown as "utf-8" }), "EINVAL");
    assert.equal((await fs.read("a")).content, "1");
  },
  "name the called operation (FS-65)": async (open) => {
    const fs = await open();
    const calls = {
      read: () => fs.read("../x"),
      readBytes: () => fs.readBytes("../x"),
      exists: () => fs.exists("../x"),
      stat: () => fs.stat("../x"),
      list: () => fs.list("../x"),
      glob: () => fs.glob("*", { path: "../x" }),
      grep: () => fs.grep("x", { path: "../x" }),
      write: () => fs.write("../x", ""),
      writeBytes: () => fs.writeBytes("../x", new Uint8Array()),
      delete: () => fs.delete("../x"),
      mkdir: () => fs.mkdir("../x"),
      copy: () => fs.copy("../x", "y"),
      move: () => fs.move("../x", "y"),
      openRead: () => fs.openRead("../x"),
      openWrite: () => fs.openWrite("../x"),
      openText: () => fs.openText("../x"),
    };
    for (const [operation, call] of Object.entries(calls))
      await expectFailure(call(), "EACCES", { operation, path: "../x" });
  },
  "never show the host path of the workspace (FS-66, TM-5)": async (open) => {
    const fs = await open();
    await fs.write("file", "1");
    await fs.mkdir("dir");
    const calls = [
      () => fs.read("missing"),
      () => fs.read("dir"),
      () => fs.read("file/x"),
      () => fs.read("../x"),
      () => fs.read("a\0b"),
      () => fs.write("dir", ""),
      () => fs.write("file/x", ""),
      () => fs.write("x".repeat(300), ""),
      () => fs.delete("dir"),
      () => fs.delete("."),
      () => fs.move("dir", "dir/x"),
      () => fs.copy("file", "dir", { overwrite: true }),
      () => fs.mkdir("file"),
      () => fs.list("file"),
      () => fs.grep("("),
      () => fs.glob("../*"),
      () => fs.openRead("missing"),
      () => fs.openWrite("dir"),
    ];
    for (const call of calls) {
      const error = await failureOf(call());
      assert(isFilesystemError(error));
      if (fs.root.length > 1)
        assert.equal(
          JSON.stringify([error.message, error]).includes(fs.root),
          false,
          error.message,
        );
      assert.equal(/node:|\n| at /.test(error.message), false, error.message);
    }
  },
  "show no raw control characters and shorten long paths (A11, FS-66, TM-9)": async (open) => {
    const fs = await open();
    const error = await failureOf(fs.read("a\u001b[2J\n\0\u202e"));
    assert(isFilesystemError(error, "EINVAL"));
    assert.match(error.message, /'a\\u\{1b\}\[2J\\u\{a\}\\u\{0\}\\u\{202e\}': /);
    const long = await failureOf(fs.read("x".repeat(100_000)));
    assert(isFilesystemError(long));
    assert(long.message.length < 500);
  },
});
