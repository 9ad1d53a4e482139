import { InMemoryFilesystem } from "@wink/filesystem";
import { expect, it } from "vitest";
import { DEFAULT_TOOL_LIMITS, resolveToolLimits } from "../reply/limits.js";
import { openWorkspace } from "./workspace.test.support.js";

const MOST = DEFAULT_TOOL_LIMITS.maxWriteCharacters;

it("write_file accepts at most 48,000 characters (TL-4, F175)", async () => {
  const { ask, filesystem } = await openWorkspace({});
  expect(await ask("write_file", { path: "at", content: "x".repeat(MOST) })).toBe(
    "Created 'at': 1 line, 48,000 bytes.",
  );
  expect(await ask("write_file", { path: "over", content: "x".repeat(MOST + 1) })).toBe(
    'That is 48,001 characters, and one call takes at most 48,000.\nWrite the beginning, then add the rest with mode "append".',
  );
  expect(await filesystem.exists("over")).toBe(false);
});

it("edit_file accepts at most 48,000 characters of new text and of old text (TL-4, F175)", async () => {
  const big = "y".repeat(MOST);
  const { ask } = await openWorkspace({ f: "a", g: `${big}z` });
  const over =
    "That is 48,001 characters, and one call takes at most 48,000.\nMake the change in smaller pieces.";
  expect(await ask("edit_file", { path: "f", old_string: "a", new_string: `${big}!` })).toBe(over);
  expect(await ask("edit_file", { path: "g", old_string: `${big}z`, new_string: "" })).toBe(over);
  expect(await ask("edit_file", { path: "f", old_string: "a", new_string: big })).toMatch(
    /^Edited 'f': 1 replacement\.\n/,
  );
  expect(await ask("edit_file", { path: "g", old_string: big, new_string: "" })).toMatch(
    /^Edited 'g': 1 replacement\.\n/,
  );
});

it("an edit whose result is too large for the filesystem or its quota changes nothing (F175)", async () => {
  const small = new InMemoryFilesystem({ files: { f: "aaaa" }, limits: { maxWriteBytes: 8 } });
  const first = await openWorkspace({}, { filesystem: small });
  const grow = { path: "f", old_string: "a", new_string: "bbb", replace_all: true };
  expect(await first.ask("edit_file", grow)).toBe(
    "'f' would have 12 bytes, and a file may have at most 8.",
  );
  expect((await small.read("f")).content).toBe("aaaa");

  const tight = new InMemoryFilesystem({ files: { f: "aaaa" }, quotas: { maxTotalBytes: 11 } });
  const second = await openWorkspace({}, { filesystem: tight });
  expect((await second.call("edit_file", grow)).result.success).toBe(false);
  expect((await tight.read("f")).content).toBe("aaaa");
});

it("multi_edit accepts at most 100 edits (TL-4)", async () => {
  const lines = Array.from({ length: 101 }, (_, index) => `<${index}>`);
  const { ask } = await openWorkspace({ f: lines.join("\n") });
  const edits = lines.map((line) => ({ old_string: line, new_string: "" }));
  expect(await ask("multi_edit", { path: "f", edits })).toBe(
    "These are 101 edits, and one call takes at most 100.",
  );
  expect(await ask("multi_edit", { path: "f", edits: edits.slice(0, 100) })).toMatch(
    /^Edited 'f': 100 replacements\./,
  );
});

it("read_file shows 2,000 lines per call and names the offset of the next page (TL-4)", async () => {
  const text = Array.from({ length: 2_001 }, (_, index) => `${index}\n`).join("");
  const { ask, call } = await openWorkspace({ f: text });
  expect(await ask("read_file", { path: "f" })).toMatch(
    /^'f', lines 1 to 2000 of 2,001\. Continue with offset 2000\.\n\n {5}1\t0\n/,
  );
  expect(await ask("read_file", { path: "f", offset: 2_000 })).toBe(
    "'f', lines 2001 to 2001 of 2,001.\n\n  2001\t2000",
  );
  const { result } = await call("read_file", { path: "f", limit: 100_000 });
  expect(result).toMatchObject({ value: { lineCount: 2_000, nextOffset: 2_000 } });
});

it("the pages of any file add up to the whole file (TL-4, F179)", async () => {
  const text = Array.from(
    { length: 3_000 },
    (_, index) => `${"é👩".repeat(index % 50)}${index}\r\n`,
  ).join("");
  const { call } = await openWorkspace({ f: text });
  let together = "";
  let offset: number | undefined = 0;
  while (offset !== undefined) {
    const { result } = await call("read_file", { path: "f", offset });
    // If a page failed, the following lines would fail.
    const { value } = result as { value: { content: string; nextOffset?: number } };
    together += value.content;
    offset = value.nextOffset;
  }
  expect(together).toBe(text);
});

it("a line that is too long is shortened to head and tail without splitting a character (TL-4, F179)", async () => {
  const { ask } = await openWorkspace({ f: `start${"👩".repeat(500_000)}end\nnext\n` });
  const text = await ask("read_file", { path: "f" });
  expect(text).toMatch(
    /^'f', 2 lines\. Long lines are shortened; grep searches their full text\.\n\n {5}1\tstart👩+ … [\d,]+ characters left out … 👩+end\n {5}2\tnext$/u,
  );
});

it("every answer is within its limit for any files (TL-4, F179)", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 1_200 }, (_, index) => [
      `${"n".repeat(70)}-${index}`,
      `needle ${"x".repeat(400)}\n`,
    ]),
  );
  const { ask } = await openWorkspace(files);
  expect(await ask("ls", {})).toMatch(
    /^Entries 1 to 500 of 1,200 in '\.'\. Continue with offset 500\.\n/,
  );
  expect(await ask("glob", { pattern: "*" })).toMatch(
    /^Files 1 to 500 of 1,200 match '\*'\. Continue with offset 500\.\n/,
  );
  const found = await ask("grep", { pattern: "needle", context: 3 });
  expect(found).toMatch(
    /^Matches 1 to \d+ of at least 1,000 for 'needle' in 1,000 files\. Continue with offset \d+\. The search stopped at 1,000 matching lines; narrow it with path, glob or a longer pattern\.\n/,
  );
  await ask("edit_file", {
    path: `${"n".repeat(70)}-0`,
    old_string: "x",
    new_string: "yy\n".repeat(100),
    replace_all: true,
  });
});

it("limits can be set, and invalid values are refused (TL-4)", async () => {
  const { ask } = await openWorkspace(
    { f: "1\n2\n3\n" },
    { limits: { maxReadLines: 2, maxWriteCharacters: 3 } },
  );
  expect(await ask("read_file", { path: "f" })).toBe(
    "'f', lines 1 to 2 of 3. Continue with offset 2.\n\n     1\t1\n     2\t2",
  );
  expect(await ask("write_file", { path: "g", content: "1234" })).toMatch(
    /^That is 4 characters, and one call takes at most 3\./,
  );
  expect(() => resolveToolLimits({ maxEdits: 0 })).toThrow(
    "limits: maxEdits must be a whole number above 0, got 0.",
  );
  expect(() => resolveToolLimits({ maxAnswerCharacters: 10 })).toThrow(
    "maxAnswerCharacters must be at least 4000.",
  );
});
