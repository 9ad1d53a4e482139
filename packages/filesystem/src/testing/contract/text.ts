import assert from "node:assert/strict";
import { defineArea, eachRow } from "./contract-case.js";
import { expectFailure } from "./expect-failure.js";

const LINES: readonly (readonly [text: string, totalLines: number])[] = [
  ["", 0],
  ["a", 1],
  ["a\n", 1],
  ["a\n\n", 2],
  ["\n", 1],
  ["a\nb", 2],
  ["a\r\nb\r\n", 2],
  ["a\rb", 1],
  ["a\u2028b\u2029c\u0085d\u000be\ff", 1],
  ["\r\n\r\n", 2],
];

const EXACT = [
  "no end of line",
  "end\n",
  "\r\nwindows\r\n",
  "mixed\r\nends\nold mac\rdone",
  "\ufeffwith a mark",
  "a mark \ufeff inside",
  " \t\n \n",
  "\0 nul \0",
  "\u001b[31mred\u001b[0m \u202eoverride",
  "é e\u0301 ß İ 😀 \u{10ffff} \uffff \ufffd",
  "\u2028\u2029\u0085\u000b\f",
];

const NOT_TEXT: readonly (readonly [what: string, bytes: readonly number[]])[] = [
  ["an invalid byte", [0x61, 0xff, 0x62]],
  ["half a character at the end", [0x61, 0xc3]],
  ["an overlong dot", [0xc0, 0xae]],
  ["a surrogate", [0xed, 0xa0, 0x80]],
  ["a code point above U+10FFFF", [0xf4, 0x90, 0x80, 0x80]],
  ["UTF-16", [0xff, 0xfe, 0x61, 0x00]],
  ["big-endian UTF-16", [0xfe, 0xff, 0x00, 0x61]],
];

export const text = defineArea("text", {
  ...eachRow(
    LINES,
    ([content, lines]) => `counts ${lines} lines in ${JSON.stringify(content)} (B53, B54, FS-14)`,
    ([content, lines]) =>
      async (open) => {
        const fs = await open();
        await fs.write("a", content);
        assert.equal((await fs.read("a")).totalLines, lines);
        await fs.writeBytes("b", new TextEncoder().encode(content));
        assert.equal((await fs.read("b")).totalLines, lines);
      },
  ),
  ...eachRow(
    EXACT,
    (content) =>
      `returns ${JSON.stringify(content)} unchanged to the byte (B49, B54, B68, B69, FS-13)`,
    (content) => async (open) => {
      const fs = await open();
      const { revision } = await fs.write("a", content);
      const { content: back } = await fs.read("a");
      assert.equal(back, content);
      assert.equal(
        Buffer.from((await fs.readBytes("a")).content).toString("hex"),
        Buffer.from(content).toString("hex"),
      );
      assert.equal((await fs.write("a", back)).revision, revision);
    },
  ),
  ...eachRow(
    NOT_TEXT,
    ([what]) => `refuses to read ${what} as text, and replaces nothing (A13, B47, B50, FS-18)`,
    ([, bytes]) =>
      async (open) => {
        const fs = await open();
        await fs.writeBytes("a", Uint8Array.from(bytes));
        await expectFailure(fs.read("a"), "EILSEQ", { operation: "read", path: "a" });
        await expectFailure(fs.read("a", { limit: 0 }), "EILSEQ");
        assert.deepEqual([...(await fs.readBytes("a")).content], bytes);
      },
  ),
  "reports the byte at which the text becomes invalid (B47, FS-18)": async (open) => {
    const fs = await open();
    await fs.writeBytes(
      "a",
      Buffer.concat([Buffer.from("héllo"), Uint8Array.of(0xff), Buffer.from("x")]),
    );
    await assert.rejects(fs.read("a"), /byte 6\)/);
    const far = Buffer.from("ab€".repeat(30_000));
    await fs.writeBytes("a", Buffer.concat([far, Uint8Array.of(0xe2, 0x82, 0x28), far]));
    await assert.rejects(fs.read("a"), /byte 150000\)/);
    await fs.writeBytes("a", Buffer.concat([far, Uint8Array.of(0xe2, 0x82)]));
    await assert.rejects(fs.read("a"), /byte 150000\)/);
    // A sequence that is incomplete or continues wrongly is invalid from its first byte.
    await fs.writeBytes("a", Uint8Array.of(0x61, 0xc3, 0x28));
    await assert.rejects(fs.read("a"), /byte 1\)/);
    await fs.writeBytes("a", Uint8Array.of(0x61, 0x62, 0xe2, 0x82));
    await assert.rejects(fs.read("a"), /byte 2\)/);
  },
  "names UTF-16 in the error (B50, FS-18)": async (open) => {
    const fs = await open();
    await fs.writeBytes("a", Uint8Array.of(0xff, 0xfe, 0x61, 0));
    await assert.rejects(fs.read("a"), /UTF-16.*readBytes/);
  },
});
