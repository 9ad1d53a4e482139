import { describe, expect, it } from "vitest";
import { CodedError } from "./coded-error.js";
import { FilesystemError, isFilesystemError } from "./filesystem-error.js";

describe("FilesystemError", () => {
  it.each([
    ["ENOENT", "ENOENT: read 'a/b': no such file or directory."],
    ["EISDIR", "EISDIR: read 'a/b': it is a directory."],
    ["ENOTDIR", "ENOTDIR: read 'a/b': it is not a directory."],
    ["EEXIST", "EEXIST: read 'a/b': it already exists."],
    ["EACCES", "EACCES: read 'a/b': access denied."],
    ["EROFS", "EROFS: read 'a/b': the filesystem is read-only."],
    ["EINVAL", "EINVAL: read 'a/b': invalid argument."],
    ["EILSEQ", "EILSEQ: read 'a/b': it is not UTF-8 text. Use readBytes or openRead."],
    ["EFBIG", "EFBIG: read 'a/b': it is over the size limit."],
    ["EDQUOT", "EDQUOT: read 'a/b': it is over the quota. Delete files, or raise the quota."],
    ["ESTALE", "ESTALE: read 'a/b': it has changed since it was read. Read it again."],
    ["EBADF", "EBADF: read 'a/b': the stream or handle is closed. Open a new one."],
    ["EIO", "EIO: read 'a/b': the backend failed. The error's cause has the details."],
  ] satisfies [FilesystemError["code"], string][])(
    "has a message with the code, the operation, the path, the problem and the advice: %s (FS-65)",
    (code, message) => {
      const cause = new Error("disk on fire");
      const error = new FilesystemError(code, { operation: "read", path: "a/b", cause });
      expect(error).toMatchObject({ name: "FilesystemError", code, operation: "read", cause });
      expect(error).toMatchObject({ path: "a/b", subject: "a/b", message });
      const { reason, advice } = error;
      expect(message).toBe(`${code}: read 'a/b': ${reason}.${advice ? ` ${advice}` : ""}`);
      expect([error instanceof CodedError, error instanceof Error]).toEqual([true, true]);
    },
  );

  it("uses the given reason and advice instead of those of the code (FS-65)", () => {
    const given = { operation: "grep", path: ".", reason: "no such flag" };
    const error = new FilesystemError("EILSEQ", given);
    expect(error).toMatchObject({ message: "EILSEQ: grep '.': no such flag.", advice: undefined });
    expect("cause" in error).toBe(false);
    expect(new FilesystemError("EINVAL", { ...given, advice: "Use x." }).message).toBe(
      "EINVAL: grep '.': no such flag. Use x.",
    );
    expect(new FilesystemError("EINVAL", { ...given, reason: "Really?" }).message).toBe(
      "EINVAL: grep '.': Really?",
    );
  });

  it("escapes control characters of the reason (FS-66)", () => {
    const { message, reason } = new FilesystemError("EINVAL", {
      operation: "grep",
      path: ".",
      reason: "no \u001b[31m",
    });
    expect([message, reason]).toEqual(["EINVAL: grep '.': no \\u{1b}[31m.", "no \\u{1b}[31m"]);
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
      `ENOENT: read '${shown}': no such file or directory.`,
    ]);
  });

  it("truncates a very long path (FS-66)", () => {
    const { message } = new FilesystemError("ENOENT", { operation: "read", path: "x".repeat(1e6) });
    expect(message.length).toBeLessThan(400);
    expect(message).toContain("x…': no such");
  });
});
