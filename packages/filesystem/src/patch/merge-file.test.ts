import { expect, it } from "vitest";
import { mergeFile } from "./merge-file.js";

const bytes = (text: string) => new TextEncoder().encode(text);
const file = (text: string, executable = false) => ({ bytes: bytes(text), executable });
const LINES = "1\n2\n3\n4\n5\n";

const write = (text: string, { executable = false, combined = false } = {}) => ({
  kind: "write",
  bytes: bytes(text),
  executable,
  combined,
});
const conflict = (reason: string) => ({ kind: "conflict", reason });

it.each([
  ["no file on both sides", undefined, undefined, undefined, { kind: "keep" }],
  ["added there", undefined, undefined, file("a"), write("a")],
  [
    "added there as a program",
    undefined,
    undefined,
    file("a", true),
    write("a", { executable: true }),
  ],
  ["added equally", undefined, file("a"), file("a"), { kind: "keep" }],
  [
    "added equally, there as a program",
    undefined,
    file("a"),
    file("a", true),
    write("a", { executable: true }),
  ],
  ["added differently", undefined, file("a"), file("b"), conflict("both-added")],
  ["deleted there", file("a"), file("a"), undefined, { kind: "delete" }],
  ["deleted there, changed here", file("a"), file("b"), undefined, conflict("deleted-in-theirs")],
  [
    "deleted there, made a program here",
    file("a"),
    file("a", true),
    undefined,
    conflict("deleted-in-theirs"),
  ],
  ["deleted here, changed there", file("a"), undefined, file("b"), conflict("deleted-in-ours")],
  ["deleted on both sides", file("a"), undefined, undefined, { kind: "keep" }],
  ["changed there", file("a"), file("a"), file("b"), write("b")],
  ["changed equally", file("a"), file("b"), file("b"), { kind: "keep" }],
  ["made a program there", file("a"), file("a"), file("a", true), write("a", { executable: true })],
  [
    "made a program here, changed there",
    file("a"),
    file("a", true),
    file("b"),
    write("b", { executable: true }),
  ],
])(
  "mergeFile decides a file that is %s without combining (SN-22)",
  async (_, base, ours, theirs, decision) => {
    expect(await mergeFile({ base, ours, theirs }, { combine: false })).toEqual(decision);
  },
);

it.each([
  [
    "different lines",
    LINES,
    LINES.replace("1", "one"),
    LINES.replace("5", "five"),
    "one\n2\n3\n4\nfive\n",
  ],
  ["the same lines", LINES, LINES.replace("1", "one"), LINES.replace("1", "eins"), undefined],
  [
    "different lines of a file with a null byte",
    `\0${LINES}`,
    `\0${LINES}6`,
    `0\0${LINES}`,
    undefined,
  ],
  [
    "different lines with a byte order mark",
    `\ufeff${LINES}`,
    `\ufeff${LINES}6\n`,
    `\ufeff0\n${LINES}`,
    `\ufeff0\n${LINES}6\n`,
  ],
])(
  "mergeFile with combine merges %s as text, and without it reports a conflict (SN-22, AD-31)",
  async (_, ...texts) => {
    const [base, ours, theirs] = texts.map((text) => file(text ?? ""));
    const merged = texts[3];
    const both = conflict("both-changed");
    expect(await mergeFile({ base, ours, theirs }, { combine: false })).toEqual(both);
    expect(await mergeFile({ base, ours, theirs }, { combine: true })).toEqual(
      merged === undefined ? both : write(merged, { combined: true }),
    );
  },
);

it("mergeFile combines a change of the content here with a change of the execute bit there", async () => {
  const versions = { base: file("\0a"), ours: file("\0b"), theirs: file("\0a", true) };
  expect(await mergeFile(versions, { combine: true })).toEqual(
    write("\0b", { executable: true, combined: true }),
  );
  expect(await mergeFile(versions, { combine: false })).toEqual(conflict("both-changed"));
});

it("mergeFile does not combine bytes that are not UTF-8", async () => {
  const raw = (...values: number[]) => ({ bytes: Uint8Array.from(values), executable: false });
  const versions = {
    base: raw(0xff, 10, 65, 10, 66, 10),
    ours: raw(0xff, 10, 65, 10, 67, 10),
    theirs: raw(0xfe, 10, 65, 10, 66, 10),
  };
  expect(await mergeFile(versions, { combine: true })).toEqual(conflict("both-changed"));
});
