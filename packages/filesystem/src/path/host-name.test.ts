import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { isDoubtful, rawName, shownName } from "./host-name.js";

const escaped = (...bytes: number[]) =>
  bytes.map((byte) => String.fromCodePoint(0x10ff00 + byte)).join("");

describe("names on disk", () => {
  it.each([
    { what: "plain", raw: Buffer.from("file.txt"), shown: "file.txt" },
    { what: "outside ASCII", raw: Buffer.from("größe-日本-😀"), shown: "größe-日本-😀" },
    { what: "Latin-1", raw: Buffer.from([0x63, 0xe9]), shown: `c${escaped(0xe9)}` },
    { what: "cut off", raw: Buffer.from([0xf0, 0x9f, 0x98]), shown: escaped(0xf0, 0x9f, 0x98) },
    { what: "overlong", raw: Buffer.from([0xc0, 0xae]), shown: escaped(0xc0, 0xae) },
    { what: "a surrogate", raw: Buffer.from([0xed, 0xa0, 0x80]), shown: escaped(0xed, 0xa0, 0x80) },
    { what: "a line break", raw: Buffer.from("a\nb"), shown: `a${escaped(0x0a)}b` },
    { what: "C1 control", raw: Buffer.from("\u0085"), shown: escaped(0xc2, 0x85) },
    { what: "a backslash", raw: Buffer.from("a\\b"), shown: `a${escaped(0x5c)}b` },
    {
      what: "an escape character",
      raw: Buffer.from("\u{10ff41}"),
      shown: escaped(0xf4, 0x8f, 0xbd, 0x81),
    },
    { what: "the replacement character", raw: Buffer.from("\ufffd"), shown: "\ufffd" },
  ])("shows $what reversibly (A26)", ({ raw, shown }) => {
    expect(shownName(raw)).toBe(shown);
    expect(Buffer.from(rawName(shown) ?? "")).toEqual(raw);
  });

  it.each([
    { what: "dot dot", shown: escaped(0x2e, 0x2e) },
    { what: "a slash", shown: escaped(0x2f) },
    { what: "NUL", shown: escaped(0x00) },
    { what: "a letter", shown: escaped(0x61) },
    { what: "whole UTF-8", shown: escaped(0xc3, 0xa9) },
    { what: "dot and real dot", shown: `.${escaped(0x2e)}` },
  ])("refuses $what in escapes, which no name on disk has (A13, A26)", ({ shown }) => {
    expect(rawName(shown)).toBeUndefined();
  });

  it("converts every name of random bytes to one shown form and back (A26)", () => {
    const shownForms = new Set<string>();
    const names = new Set<string>();
    for (let round = 0; round < 20_000; round++) {
      const raw = randomBytes(1 + (round % 12)).map((byte) =>
        byte === 0 || byte === 0x2f ? 1 : byte,
      );
      const shown = shownName(raw);
      expect(Buffer.from(rawName(shown) ?? "").equals(raw)).toBe(true);
      names.add(Buffer.from(raw).toString("hex"));
      shownForms.add(shown);
    }
    expect(shownForms.size).toBe(names.size);
  });

  it.each(["a\ufffd", "a\u0007", "a\\b", "a\u{10ff41}", "a\u009f"])(
    "treats %j as doubtful, because the name on disk may differ (A26)",
    (name) => expect(isDoubtful(name)).toBe(true),
  );

  it.each(["plain", "größe", "😀", "..x"])("does not treat %j as doubtful", (name) =>
    expect(isDoubtful(name)).toBe(false),
  );
});
