import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FileContent } from "./file-content.js";

const encode = (text: string) => new TextEncoder().encode(text);
const ofText = (text: string) => FileContent.ofText(text, encode(text).length, "r");
const wellFormed = fc
  .string({ unit: "binary", maxLength: 12 })
  .filter((text) => text.isWellFormed());

/** Counts lines naively, one character at a time. */
function linesOf(text: string): readonly string[] {
  const lines = [""];
  for (const character of text) {
    lines[lines.length - 1] += character;
    if (character === "\n") lines.push("");
  }
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

describe("FileContent", () => {
  it("converts text to bytes and back (FS-13)", () => {
    fc.assert(
      fc.property(wellFormed, (text) => {
        expect(ofText(text).bytes()).toEqual(encode(text));
        expect(FileContent.ofBytes(encode(text), "r").text()).toBe(text);
      }),
    );
  });

  it("returns no text for bytes that are not UTF-8, also when asked again (B47, FS-18)", () => {
    const content = FileContent.ofBytes(Uint8Array.of(0x61, 0xff), "r");
    expect([content.text(), content.text()]).toEqual([undefined, undefined]);
    expect(content.sizeBytes).toBe(2);
  });

  it("ends lines at line feeds only (B53, FS-14)", () => {
    const lines = fc
      .array(fc.constantFrom("\n", "\r", "\r\n", "a", "é", "😀", "\u2028", "\f", "a long line"), {
        maxLength: 400,
      })
      .map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(lines, fc.nat(300), fc.nat(300), (text, first, length) => {
        const expected = linesOf(text);
        const content = ofText(text);
        expect(content.lineCount(text)).toBe(expected.length);
        expect(content.lines(text, 0, expected.length)).toBe(text);
        const page = expected.slice(first, first + length).join("");
        expect(content.lines(text, first, first + length)).toBe(page);
      }),
    );
  });

  it("indexes its lines once, so that a later page costs only what it returns (FS-77)", () => {
    const content = ofText("1\n2\n3\n");
    expect(content.lines("1\n2\n3\n", 1, 2)).toBe("2\n");
    // A second index would be of the other text.
    expect(content.lines("", 2, 3)).toBe("3\n");
    expect(content.bytes()).toBe(content.bytes());
  });

  it("equals content with the same bytes, whether made from text or bytes (B70, FS-29)", () => {
    fc.assert(
      fc.property(wellFormed, wellFormed, (a, b) => {
        const forms = (text: string) => [ofText(text), FileContent.ofBytes(encode(text), "other")];
        for (const left of forms(a)) {
          for (const right of forms(a)) expect(left.equals(right)).toBe(true);
          for (const right of forms(b)) expect(left.equals(right)).toBe(a === b);
        }
      }),
    );
  });
});
