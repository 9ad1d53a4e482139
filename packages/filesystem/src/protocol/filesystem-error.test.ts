import { describe, expect, it } from "vitest";
import { FilesystemError, isFilesystemError } from "./filesystem-error.js";

describe("FilesystemError", () => {
  it("has a message with the code, the reason, the operation and the path (FS-65)", () => {
    const cause = new Error("disk on fire");
    const error = new FilesystemError("EIO", { operation: "read", path: "a/b", cause });
    expect(error).toMatchObject({
      name: "FilesystemError",
      code: "EIO",
      operation: "read",
      path: "a/b",
      cause,
    });
    expect(error.message).toBe("EIO: the backend failed, read 'a/b'");
    expect(error).toBeInstanceOf(Error);
  });

  it("uses the given reason instead of the default (FS-65)", () => {
    const error = new FilesystemError("EINVAL", {
      operation: "grep",
      path: ".",
      reason: "no such flag",
    });
    expect(error.message).toBe("EINVAL: no such flag, grep '.'");
    expect("cause" in error).toBe(false);
  });

  it("is recognised across copies of the package, and by its code (FS-68)", () => {
    const foreign = Object.assign(new Error("ENOENT"), { code: "ENOENT" });
    const copy = Object.assign(new Error(), {
      code: "ENOENT",
      [Symbol.for("wink.filesystem.error")]: true,
    });
    const own = new FilesystemError("ENOENT", { operation: "read", path: "a" });
    expect(
      [own, copy, foreign, undefined, null, "ENOENT"].map((each) => isFilesystemError(each)),
    ).toEqual([true, true, false, false, false, false]);
    expect([isFilesystemError(own, "ENOENT"), isFilesystemError(own, "EIO")]).toEqual([
      true,
      false,
    ]);
  });

  it.each([
    ["\u001b[31m", "\\u{1b}[31m"],
    ["a\r\nb", "a\\u{d}\\u{a}b"],
    ["\u202eabc", "\\u{202e}abc"],
    ["\u200bx\u2028y", "\\u{200b}x\\u{2028}y"],
    ["half \ud800", "half \ufffd"],
    ["é 😀 '", "é 😀 '"],
  ])("escapes control characters of %j (A11, B68, FS-66)", (path, shown) => {
    const error = new FilesystemError("ENOENT", { operation: "read", path });
    expect([error.path, error.message]).toEqual([
      shown,
      `ENOENT: no such file or directory, read '${shown}'`,
    ]);
  });

  it("truncates a very long path (FS-66)", () => {
    const { message } = new FilesystemError("ENOENT", { operation: "read", path: "x".repeat(1e6) });
    expect(message.length).toBeLessThan(400);
    expect(message).toMatch(/x…'$/);
  });
});
