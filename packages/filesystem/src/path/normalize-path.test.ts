import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isFilesystemError } from "../protocol/filesystem-error.js";
import { normalizePath } from "./normalize-path.js";

const normalize = (path: string, mountPoint?: string) =>
  normalizePath(path, { operation: "read", mountPoint });

/** Parts of hostile paths, combined in any order. */
const attack = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "..",
        ".",
        "",
        "/",
        "\\",
        "//",
        "a",
        "b",
        "...",
        "..a",
        " ",
        "~",
        "%2e",
        "．．",
      ),
      fc.string({ unit: "grapheme", maxLength: 3 }),
      fc.string({ unit: "binary", maxLength: 2 }),
    ),
    { maxLength: 12 },
  )
  .chain((pieces) => fc.constantFrom("/", "\\", "").map((separator) => pieces.join(separator)));

/** Resolves a path step by step. Returns `undefined` when a step leaves the root. */
function walk(path: string): string | undefined {
  let depth = 0;
  const names: string[] = [];
  for (const step of path.split(/[/\\]/)) {
    if (step === "" || step === ".") continue;
    depth += step === ".." ? -1 : 1;
    if (depth < 0) return undefined;
    if (step === "..") names.pop();
    else names.push(step);
  }
  return names.join("/");
}

describe("normalizePath", () => {
  it("normalises every path to one inside the root, or refuses it (A1, A2, FS-2, FS-3, TM-1)", () => {
    fc.assert(
      fc.property(attack, (path) => {
        try {
          const { path: normal } = normalize(path);
          expect(normal).toBe(walk(path));
          expect(normal.split("/").some((segment) => segment === ".." || segment === ".")).toBe(
            false,
          );
          expect(/^\/|\/$|\/\/|\\|\p{Cc}/u.test(normal)).toBe(false);
          expect(normal.isWellFormed()).toBe(true);
        } catch (error) {
          if (isFilesystemError(error, "EINVAL"))
            expect(/\p{Cc}/u.test(path) || !path.isWellFormed()).toBe(true);
          else if (isFilesystemError(error, "EACCES")) expect(walk(path)).toBeUndefined();
          else throw error;
        }
      }),
      { numRuns: 20_000 },
    );
  });

  it("does not change a normal path (FS-1)", () => {
    fc.assert(
      fc.property(attack, (path) => {
        let normal: string;
        try {
          normal = normalize(path).path;
        } catch {
          return;
        }
        expect(normalize(normal).path).toBe(normal);
        expect(normalize(`/${normal}`).path).toBe(normal);
        expect(normalize(`/m/${normal}`, "/m").path).toBe(normal);
      }),
      { numRuns: 5_000 },
    );
  });

  it.each([
    ["a", false],
    ["a/", true],
    ["a/.", true],
    ["a\\", true],
    ["", true],
    [".", true],
    ["..x/", true],
    ["a/b.", false],
    ["a/x/..", false],
  ])("reports whether %j names a directory: %s (FS-8)", (path, namesDirectory) => {
    expect(normalize(path).namesDirectory).toBe(namesDirectory);
  });

  it.each([
    ["/workspace", ""],
    ["/workspace/", ""],
    ["/workspace/a", "a"],
    ["//workspace//a", "a"],
    ["/workspace/../workspace/a", "a"],
    ["\\workspace\\a", "a"],
    ["workspace/a", "workspace/a"],
    ["a", "a"],
  ])("resolves %j under a mount point to %j (A4, FS-7)", (path, expected) => {
    expect(normalize(path, "/workspace").path).toBe(expected);
  });

  it.each([
    "/",
    "/a",
    "/workspacex",
    "/workspac",
    "/workspace/..",
    "/workspace/../a",
    "/../workspace",
  ])("refuses %j, which is not under the mount point (A4, A5, FS-7)", (path) => {
    expect(() => normalize(path, "/workspace")).toThrow(
      expect.objectContaining({
        code: "EACCES",
        path,
        message: expect.stringContaining("/workspace"),
      }),
    );
  });

  it("takes time proportional to the length of the path (A21)", () => {
    // With quadratic time a million characters would take minutes.
    expect(normalize(`${"a/".repeat(500_000)}a`).path.length).toBe(1_000_001);
    expect(normalize("é".repeat(1_000_000)).path.length).toBe(1_000_000);
    expect(normalize("a/../".repeat(200_000)).path).toBe("");
    expect(() => normalize(`${"a/".repeat(200_000)}${"../".repeat(200_001)}`)).toThrow("EACCES");
  });

  it.each(["a", "a/", "../", "\0"])(
    "refuses a very long path of %j before parsing it (A21, FS-12)",
    (piece) => {
      expect(() => normalize(piece.repeat(1_048_577))).toThrow("a path has at most 1,048,576");
    },
  );
});
