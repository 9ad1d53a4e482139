import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { FilesystemError } from "../../protocol/filesystem-error.js";
import { at, CALLS, hostFixture } from "../driver/host-fixture.test.setup.js";
import { fromNodeError } from "./from-node-error.js";

it.each([
  ["ENOENT", "ENOENT", "no such file or directory"],
  ["EEXIST", "EEXIST", "it already exists"],
  ["ENOTEMPTY", "EEXIST", "the directory is not empty"],
  ["ENOTDIR", "ENOTDIR", "it is not a directory"],
  ["EISDIR", "EISDIR", "it is a directory"],
  ["ELOOP", "EACCES", "it is a symbolic link, or its path has one, and links are not followed"],
  ["EACCES", "EACCES", "the operating system denied access"],
  ["EPERM", "EACCES", "the operating system denied access"],
  ["EAGAIN", "EACCES", "another program holds the file"],
  ["ENXIO", "EACCES", "it is not a regular file, and special files are never opened"],
  ["EROFS", "EROFS", "the filesystem is read-only"],
  ["ENOSPC", "EDQUOT", "no space is left on the disk of the workspace"],
  ["EDQUOT", "EDQUOT", "no space is left on the disk of the workspace"],
  ["ENAMETOOLONG", "EINVAL", "its name is too long for the disk"],
  ["EMFILE", "EIO", "the backend failed"],
  ["EIO", "EIO", "the backend failed"],
])("%s from the host becomes %s", (code, expected, reason) => {
  const cause = Object.assign(new Error(`${code}: open '/srv/secret/place'`), { code });
  const error = fromNodeError(cause, "read", "a/b");
  expect(error.message).toContain(`${expected}: read 'a/b': ${reason}.`);
  expect([error.code, error.cause]).toEqual([expected, cause]);
});

it.each([new TypeError("/srv/secret/place"), "/srv/secret/place", undefined, { code: 7 }])(
  "an error that is not from the host becomes EIO (%#)",
  (cause) => {
    const error = fromNodeError(cause, "read", "a");
    expect([error.code, error.reason]).toEqual(["EIO", "the backend failed"]);
  },
);

it("a FilesystemError is returned unchanged", () => {
  const error = new FilesystemError("ESTALE", { operation: "read", path: "a" });
  expect(fromNodeError(error, "write", "b")).toBe(error);
});

const PATHS = ["none", "none/deeper", "file/below", `${"x".repeat(300)}`, "folder"];

it.each(PATHS.flatMap((path) => CALLS.map(([name, call]) => ({ path, name, call }))))(
  "$name of $path does not reveal where the workspace is (A10)",
  async ({ path, call }) => {
    const { driver, root } = await hostFixture();
    writeFileSync(join(root, "file"), "");
    driver.mkdir(at("folder"));
    const outcome = await (async () => call(driver, at(path)))().catch((error: unknown) => error);
    if (!(outcome instanceof Error)) return;
    expect(outcome).toBeInstanceOf(FilesystemError);
    expect(outcome.message).not.toMatch(/\/proc|\/tmp|wink-host|\d\/fd/);
    expect(outcome.message).not.toContain(root);
  },
);
