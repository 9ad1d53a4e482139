import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { FilesystemError } from "../../protocol/filesystem-error.js";
import { at, CALLS, hostFixture } from "../driver/host-fixture.test.setup.js";
import { fromNodeError } from "./from-node-error.js";

it.each([
  ["ENOENT", "ENOENT", "no such file or directory"],
  ["EEXIST", "EEXIST", "path already exists"],
  ["ENOTEMPTY", "EEXIST", "directory is not empty"],
  ["ENOTDIR", "ENOTDIR", "not a directory"],
  ["EISDIR", "EISDIR", "path is a directory"],
  ["ELOOP", "EACCES", "path leads through a symbolic link, and links are not followed"],
  ["EACCES", "EACCES", "the host does not permit it"],
  ["EPERM", "EACCES", "the host does not permit it"],
  ["EAGAIN", "EACCES", "another program holds the file"],
  ["ENXIO", "EACCES", "not a regular file; special files are never opened"],
  ["EROFS", "EROFS", "filesystem is read-only"],
  ["ENOSPC", "EDQUOT", "no space left on the host"],
  ["EDQUOT", "EDQUOT", "no space left on the host"],
  ["ENAMETOOLONG", "EINVAL", "name is too long for the host"],
  ["EMFILE", "EIO", "the backend failed"],
  ["EIO", "EIO", "the backend failed"],
])("%s from the host becomes %s", (code, expected, reason) => {
  const cause = Object.assign(new Error(`${code}: open '/srv/secret/place'`), { code });
  const error = fromNodeError(cause, "read", "a/b");
  expect(error.message).toBe(`${expected}: ${reason}, read 'a/b'`);
  expect([error.code, error.cause]).toEqual([expected, cause]);
});

it.each([new TypeError("/srv/secret/place"), "/srv/secret/place", undefined, { code: 7 }])(
  "an error that is not from the host becomes EIO (%#)",
  (cause) => {
    const error = fromNodeError(cause, "read", "a");
    expect([error.code, error.message]).toEqual(["EIO", "EIO: the backend failed, read 'a'"]);
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
