import { InMemoryFilesystem, readOnlyView } from "@wink/filesystem";
import { hostilePaths } from "@wink/filesystem/testing";
import { missingFilesystem, parseInput } from "@wink/prompt/adapter";
import { createToolContext } from "@wink/prompt/testing";
import { describe, expect, it } from "vitest";
import { callTool } from "../reply/call-tool.test.support.js";
import { fileHandlers } from "./file-tools.js";
import { type Backend, contentsOf, openBackend, openWorkspace } from "./workspace.test.support.js";

const FILES = {
  "a.txt": "one\ntwo\nthree\n",
  "src/main.ts": "export const x = 1;\r\nexport const y = 2;\r\n",
  "src/b.ts": "// TODO a\nlet a = 1\n// TODO b\n",
  "bin.dat": Uint8Array.of(0xff, 0, 1),
  "dup.txt": "aaa\naaa\n",
  "bom.txt": "\uFEFFfirst\nsecond",
  "empty.txt": "",
};

const NEAR_CRLF = [
  "String not found: old_string is not in 'src/main.ts'.",
  "The closest place is lines 1 to 2. It differs in line ends: the file has \\r\\n. Nothing was changed. (- is the file, + is old_string)",
  "-export const x = 1;\r",
  "-export const y = 2;\r",
  "+x = 1;",
  "+export",
  "\\ No newline at end of file",
].join("\n");

const NO_SUCH = (path: string) =>
  `'${path}': no such file or directory.\nUse ls or glob to list the files.`;
const LEADS_OUT = (path: string) =>
  `'${path}': the path escapes from the workspace; use one under the workspace root.`;

/** Every answer that a model can get, as exact text. */
const ANSWERS: readonly { tool: string; input: object; answer: string; cases?: string }[] = [
  {
    tool: "ls",
    input: {},
    answer: "6 entries in '.'.\n\na.txt\nbin.dat\nbom.txt\ndup.txt\nempty.txt\nsrc/",
  },
  {
    tool: "ls",
    input: { limit: 2 },
    answer: "Entries 1 to 2 of 6 in '.'. Continue with offset 2.\n\na.txt\nbin.dat",
  },
  { tool: "ls", input: { offset: 5 }, answer: "Entries 6 to 6 of 6 in '.'.\n\nsrc/" },
  { tool: "ls", input: { offset: 6 }, answer: "Nothing at offset 6: 6 entries in '.'." },
  { tool: "ls", input: { path: "missing" }, answer: NO_SUCH("missing") },
  {
    tool: "ls",
    input: { path: "a.txt" },
    answer:
      "'a.txt': it is not a directory.\nA file cannot contain other files. Remove the part of the path after the file name, or the slash at the end.",
  },
  { tool: "ls", input: { path: "../x" }, answer: LEADS_OUT("../x") },
  {
    tool: "read_file",
    input: { file_path: "a.txt" },
    answer: "'a.txt', 3 lines.\n\n     1\tone\n     2\ttwo\n     3\tthree",
  },
  {
    tool: "read_file",
    input: { path: "a.txt", offset: 1, limit: 1 },
    answer: "'a.txt', lines 2 to 2 of 3. Continue with offset 2.\n\n     2\ttwo",
  },
  {
    tool: "read_file",
    input: { path: "bom.txt" },
    answer:
      "'bom.txt', 2 lines. It starts with a byte order mark.\n\n     1\t\uFEFFfirst\n     2\tsecond",
  },
  {
    tool: "read_file",
    input: { path: "src/main.ts", limit: 1 },
    answer:
      "'src/main.ts', lines 1 to 1 of 2. Continue with offset 1. Its lines end in \\r\\n; old_string must use \\r\\n too.\n\n     1\texport const x = 1;\r",
  },
  { tool: "read_file", input: { path: "empty.txt" }, answer: "'empty.txt' is empty." },
  {
    tool: "read_file",
    input: { path: "a.txt", offset: 3 },
    answer: "'a.txt' has 3 lines. Nothing at offset 3.",
  },
  {
    tool: "read_file",
    input: { path: "src" },
    answer: "'src': it is a directory.\nUse ls to list a directory.",
  },
  {
    tool: "read_file",
    input: { path: "bin.dat" },
    answer:
      "'bin.dat': it is not UTF-8 text (byte 0).\nOnly text files can be read; ls, move, copy and rm work on any file.",
  },
  { tool: "read_file", input: { path: "missing.txt" }, answer: NO_SUCH("missing.txt") },
  {
    tool: "read_file",
    input: {},
    answer:
      "The input does not fit read_file.\n- file_path: Give the path of the file\nCall it again with these corrected.",
  },
  {
    tool: "read_file",
    input: { path: "a.txt", file_path: "b.txt" },
    answer:
      "The input does not fit read_file.\n- file_path: file_path and path name different files. Give only file_path\nCall it again with these corrected.",
  },
  {
    tool: "read_file",
    input: { path: "a.txt", offset: "5" },
    answer:
      "The input does not fit read_file.\n- offset: Invalid input: expected number, received string\nCall it again with these corrected.",
  },
  {
    tool: "read_file",
    input: { path: "a.txt", lines: 5 },
    answer:
      "The input has fields that read_file does not take: lines.\nIts fields are: file_path, path, offset, limit.",
  },
  {
    tool: "write_file",
    input: { file_path: "new/x.txt", content: "hello\n" },
    answer: "Created 'new/x.txt': 1 line, 6 bytes.",
  },
  {
    tool: "write_file",
    input: { file_path: "a.txt", content: "x" },
    answer:
      "'a.txt' already exists.\nChange it with edit_file, or replace all of it with mode \"overwrite\".",
  },
  {
    tool: "write_file",
    input: { path: "a.txt", content: "x", mode: "overwrite" },
    answer: "Replaced 'a.txt': 1 line, 1 byte.",
  },
  {
    tool: "write_file",
    input: { path: "a.txt", content: "x", mode: "append" },
    answer: "Added to 'a.txt': 1 more line, 15 bytes in all.",
  },
  {
    tool: "write_file",
    cases: ", F177",
    input: { path: "src", content: "x" },
    answer: "'src': it is a directory.\nUse ls to list a directory.",
  },
  {
    tool: "write_file",
    cases: ", F177",
    input: { path: "a.txt/x", content: "x" },
    answer:
      "'a.txt/x': a part of its path is not a directory.\nA file cannot contain other files. Remove the part of the path after the file name, or the slash at the end.",
  },
  {
    tool: "write_file",
    input: { path: ".git/config", content: "x" },
    answer: "'.git/config': files in a .git directory may be read but not changed.",
  },
  {
    tool: "edit_file",
    cases: ", F172",
    input: { file_path: "a.txt", old_string: "two", new_string: "$& $1 $$ $` $'" },
    answer:
      "Edited 'a.txt': 1 replacement.\n\n--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+$& $1 $$ $` $'\n three",
  },
  {
    tool: "edit_file",
    input: { path: "dup.txt", old_string: "aaa", new_string: "b", replace_all: true },
    answer:
      "Edited 'dup.txt': 2 replacements.\n\n--- a/dup.txt\n+++ b/dup.txt\n@@ -1,2 +1,2 @@\n-aaa\n-aaa\n+b\n+b",
  },
  {
    tool: "edit_file",
    input: { path: "bom.txt", old_string: "second", new_string: "2nd" },
    answer:
      "Edited 'bom.txt': 1 replacement.\n\n--- a/bom.txt\n+++ b/bom.txt\n@@ -1,2 +1,2 @@\n \uFEFFfirst\n-second\n\\ No newline at end of file\n+2nd\n\\ No newline at end of file",
  },
  {
    tool: "edit_file",
    cases: ", F171",
    input: { path: "dup.txt", old_string: "aaa\n", new_string: "x" },
    answer:
      "old_string appears 2 times in 'dup.txt', at lines 1, 2.\nAdd lines around it to make it unique, or set replace_all to change every one.",
  },
  {
    tool: "edit_file",
    cases: ", F169",
    input: { path: "a.txt", old_string: "", new_string: "x" },
    answer:
      "old_string is empty. It must name the text to replace.\nGive the exact text to replace. To create a file, use write_file.",
  },
  {
    tool: "edit_file",
    cases: ", F170",
    input: { path: "a.txt", old_string: "one", new_string: "one" },
    answer: "old_string and new_string are the same, so nothing would change.",
  },
  {
    tool: "edit_file",
    input: { path: "a.txt", old_string: "\ud800", new_string: "one" },
    answer: "The text contains half of a surrogate pair, which is not a character.",
  },
  {
    tool: "edit_file",
    input: { path: "a.txt", old_string: "qqqqqqqq", new_string: "x" },
    answer:
      "String not found: old_string is not in 'a.txt'.\nNothing in the file is similar. Read the file with read_file.",
  },
  {
    tool: "edit_file",
    cases: ", F174, B51",
    input: { path: "src/main.ts", old_string: "x = 1;\nexport", new_string: "x" },
    answer: NEAR_CRLF,
  },
  {
    tool: "edit_file",
    input: { path: "missing.txt", old_string: "a", new_string: "b" },
    answer: NO_SUCH("missing.txt"),
  },
  {
    tool: "edit_file",
    input: { path: "src", old_string: "a", new_string: "b" },
    answer: "'src': it is a directory.\nUse ls to list a directory.",
  },
  {
    tool: "multi_edit",
    input: {
      path: "src/b.ts",
      edits: [
        { old_string: "TODO b", new_string: "b" },
        { old_string: "TODO a", new_string: "a" },
      ],
    },
    answer:
      "Edited 'src/b.ts': 2 replacements.\n\n--- a/src/b.ts\n+++ b/src/b.ts\n@@ -1,3 +1,3 @@\n-// TODO a\n+// a\n let a = 1\n-// TODO b\n+// b",
  },
  {
    tool: "multi_edit",
    input: { path: "src/b.ts", edits: [] },
    answer: "edits is empty, so nothing would change.",
  },
  {
    tool: "multi_edit",
    input: {
      path: "src/b.ts",
      edits: [
        { old_string: "TODO a", new_string: "x" },
        { old_string: "DO a\n", new_string: "y" },
      ],
    },
    answer:
      "Edits 1 and 2 overlap in 'src/b.ts'.\nEach edit is applied to the current file. Combine these two into one.",
  },
  {
    tool: "multi_edit",
    input: {
      path: "src/b.ts",
      edits: [
        { old_string: "TODO a", new_string: "x" },
        { old_string: "TODO", new_string: "y" },
      ],
    },
    answer:
      "Edit 2: old_string appears 2 times in 'src/b.ts', at lines 1, 3.\nAdd lines around it to make it unique, or set replace_all to change every one.",
  },
  {
    tool: "multi_edit",
    input: {
      path: "src/b.ts",
      edits: [
        { old_string: "TODO a", new_string: "x" },
        { old_string: "", new_string: "y" },
      ],
    },
    answer:
      "Edit 2: old_string is empty. It must name the text to replace.\nGive the exact text to replace. To create a file, use write_file.",
  },
  {
    tool: "glob",
    input: { pattern: "*.ts" },
    answer: "2 files match '*.ts'.\n\nsrc/b.ts\nsrc/main.ts",
  },
  {
    tool: "glob",
    input: { pattern: "*.ts", limit: 1 },
    answer: "Files 1 to 1 of 2 match '*.ts'. Continue with offset 1.\n\nsrc/b.ts",
  },
  { tool: "glob", input: { pattern: "a.*" }, answer: "1 file matches 'a.*'.\n\na.txt" },
  { tool: "glob", input: { pattern: "*.zig" }, answer: "0 files match '*.zig'." },
  { tool: "glob", input: { pattern: "*", path: "nope" }, answer: NO_SUCH("nope") },
  {
    tool: "grep",
    input: { pattern: "TODO" },
    answer:
      "2 matches for 'TODO' in 1 file. 1 file not searched (binary).\n\nsrc/b.ts:1:// TODO a\nsrc/b.ts:3:// TODO b",
  },
  {
    tool: "grep",
    input: { pattern: "let", context: 1, glob: "*.ts" },
    answer:
      "1 match for 'let' in 1 file.\n\nsrc/b.ts-1-// TODO a\nsrc/b.ts:2:let a = 1\nsrc/b.ts-3-// TODO b",
  },
  {
    tool: "grep",
    input: { pattern: "todo", ignore_case: true, path: "src", output_mode: "files_with_matches" },
    answer: "1 file for 'todo'.\n\nsrc/b.ts",
  },
  {
    tool: "grep",
    input: { pattern: "TODO", path: "src", output_mode: "count" },
    answer: "1 file for 'TODO'.\n\nsrc/b.ts:2",
  },
  {
    tool: "grep",
    input: { pattern: "x = 1;", literal: true, path: "src/main.ts" },
    answer: "1 match for 'x = 1;' in 1 file.\n\nsrc/main.ts:1:export const x = 1;",
  },
  {
    tool: "grep",
    input: { pattern: "(" },
    answer: "'(': invalid regular expression: Unterminated group.",
  },
  {
    tool: "grep",
    input: { pattern: "(", glob: "*.ts" },
    answer: "'(': invalid regular expression: Unterminated group.",
  },
  { tool: "grep", input: { pattern: "zzz", path: "src" }, answer: "No matches for 'zzz'." },
  {
    tool: "move",
    input: { source: "a.txt", destination: "b/c.txt" },
    answer: "Moved 'a.txt' to 'b/c.txt'.",
  },
  {
    tool: "move",
    input: { source: "a.txt", destination: "dup.txt" },
    answer:
      "'dup.txt' already exists.\nChoose another destination, or set overwrite to replace it.",
  },
  {
    tool: "move",
    input: { source: "a.txt", destination: "dup.txt", overwrite: true },
    answer: "Moved 'a.txt' to 'dup.txt'.",
  },
  { tool: "move", input: { source: "nope", destination: "x" }, answer: NO_SUCH("nope") },
  { tool: "copy", input: { source: "src", destination: "lib" }, answer: "Copied 'src' to 'lib'." },
  {
    tool: "copy",
    input: { source: "src", destination: "src/in" },
    answer: "'src/in': a directory cannot be copied or moved into itself.",
  },
  {
    tool: "copy",
    input: { source: "a.txt", destination: "../a.txt" },
    answer: LEADS_OUT("../a.txt"),
  },
  { tool: "rm", input: { path: "a.txt" }, answer: "Deleted 'a.txt'." },
  {
    tool: "rm",
    input: { path: "src" },
    answer: "Deleted 'src' with 2 files in it.",
  },
  {
    tool: "rm",
    cases: ", F178",
    input: { path: "src/" },
    answer: "Deleted 'src' with 2 files in it.",
  },
  { tool: "rm", input: { path: "." }, answer: "'.': the workspace root cannot be deleted." },
  {
    tool: "rm",
    cases: ", F178",
    input: { path: "/" },
    answer: "'/': the workspace root cannot be deleted.",
  },
  { tool: "rm", input: { path: "gone" }, answer: NO_SUCH("gone") },
];

const BACKENDS: readonly Backend[] = ["memory", "host", "driver"];

describe.each(BACKENDS)("on %s", (backend) => {
  it.each(ANSWERS)(
    "$tool $input gives the exact answer (TL-1, TL-3)$cases",
    async ({ tool, input, answer }) => {
      const { ask } = await openWorkspace(FILES, { filesystem: await openBackend(backend, FILES) });
      expect(await ask(tool, input)).toBe(answer);
    },
  );
});

it.each(ANSWERS)(
  "$tool $input on a read-only filesystem reads the same and changes nothing (TL-3)",
  async ({ tool, input, answer }) => {
    const memory = await openBackend("memory", FILES);
    const { call, session } = await openWorkspace(FILES, { filesystem: readOnlyView(memory) });
    const sequence = session.sequence;
    const { text, result } = await call(tool, input);
    if (["ls", "read_file", "glob", "grep"].includes(tool)) expect(text).toBe(answer);
    else expect(result.success).toBe(false);
    expect(await contentsOf(memory)).toEqual(await contentsOf(await openBackend("memory", FILES)));
    expect(session.sequence).toBe(sequence);
  },
);

it("read_file reads a part of a file that is too large to be read whole (TL-1)", async () => {
  const content = Array.from({ length: 300_000 }, (_, index) => `line ${index}\n`).join("");
  const filesystem = new InMemoryFilesystem({
    files: { "huge.log": content },
    limits: { maxReadFileBytes: 2_000_000 },
  });
  const { ask } = await openWorkspace({}, { filesystem });
  expect(await ask("read_file", { file_path: "huge.log" })).toBe(
    "'huge.log' is 3 MB; read_file reads at most 2 MB.\nRead a part of it with offset and limit.",
  );
  expect(await ask("read_file", { file_path: "huge.log", offset: 299_000, limit: 2 })).toBe(
    "'huge.log', lines 299001 to 299002 of at least 299,003. Continue with offset 299002.\n\n299001\tline 299000\n299002\tline 299001",
  );
  expect(await ask("read_file", { file_path: "huge.log", offset: 299_999, limit: 2 })).toBe(
    "'huge.log', lines 300000 to 300000 of 300,000.\n\n300000\tline 299999",
  );
});

it("the section's text says if the filesystem is read-only (TL-3)", async () => {
  const { ask } = await openWorkspace(
    {},
    { filesystem: readOnlyView(await openBackend("memory", FILES)) },
  );
  expect(await ask("write_file", { path: "x", content: "" })).toBe(
    "'x': the filesystem is read-only.\nThese files can be read and searched, but not changed.",
  );
});

/** A valid input for each tool. */
const INPUTS: Readonly<Record<string, object>> = {
  ls: { path: "a" },
  read_file: { file_path: "a" },
  write_file: { file_path: "a", content: "" },
  edit_file: { file_path: "a", old_string: "a", new_string: "b" },
  multi_edit: { file_path: "a", edits: [{ old_string: "a", new_string: "b" }] },
  glob: { pattern: "a", path: "a" },
  grep: { pattern: "a", path: "a" },
  move: { source: "a", destination: "b" },
  copy: { source: "a", destination: "b" },
  rm: { path: "a" },
};

it.each(Object.entries(INPUTS))("%s reports a missing filesystem (TL-2)", async (name, input) => {
  const { section } = await openWorkspace({});
  const tool = section.tools.find((each) => each.name === name);
  const context = createToolContext({ filesystem: missingFilesystem });
  expect((await callTool(tool, input, context)).text).toMatch(
    /^'[a*.]+': this prompt has no workspace section, so there are no files\.$/,
  );
});

it.each(Object.keys(INPUTS))(
  "%s answers every kind of invalid arguments (TL-2, F154, F155)",
  async (name) => {
    const { section, context } = await openWorkspace({});
    const tool = section.tools.find((each) => each.name === name);
    const deep = JSON.parse(`${"[".repeat(5000)}${"]".repeat(5000)}`);
    for (const input of [
      undefined,
      null,
      5,
      "a",
      [],
      { path: 5 },
      { path: deep, pattern: deep, source: deep, content: deep, old_string: deep },
      { __proto__: null, path: 5 },
    ]) {
      const result = tool && (await context.call(tool, input));
      expect(result?.success).toBe(false);
      expect(result?.message.length).toBeLessThan(3_000);
    }
  },
);

it("fileHandlers take parsed input and share the answers of the tools (TL-2)", async () => {
  const filesystem = await openBackend("memory", FILES);
  const context = createToolContext({ filesystem });
  const { readFile, writeFile, editFile, ls, glob, grep, move, copy, rm } = fileHandlers;
  const edit = { path: "a.txt", old_string: "two", new_string: "2", replace_all: false };
  expect(await editFile(edit, context)).toMatchObject({ value: { replacements: 1 } });
  expect(await readFile({ path: "a.txt", offset: 1, limit: 1 }, context)).toMatchObject({
    value: { content: "2\n", nextOffset: 2 },
  });
  const write = { path: "n.txt", content: "n", mode: "create" } as const;
  expect(await writeFile(write, context)).toMatchObject({ value: { sizeBytes: 1 } });
  expect(await ls({ path: "src", offset: 0 }, context)).toMatchObject({ value: { total: 2 } });
  expect(await glob({ pattern: "*.ts", path: ".", offset: 0 }, context)).toMatchObject({
    value: { lines: ["src/b.ts", "src/main.ts"] },
  });
  const search = { path: ".", offset: 0, context: 0, ignore_case: false, literal: false };
  expect(await grep({ ...search, pattern: "TODO", output_mode: "count" }, context)).toMatchObject({
    value: { lines: ["src/b.ts:2"] },
  });
  const transfer = { source: "n.txt", destination: "m.txt", overwrite: false };
  expect(await copy(transfer, context)).toMatchObject({ value: { from: "n.txt", to: "m.txt" } });
  expect(await move({ ...transfer, overwrite: true }, context)).toMatchObject({ success: true });
  expect(await rm({ path: "m.txt" }, context)).toMatchObject({
    value: { path: "m.txt", fileCount: 1 },
  });
});

it("policies see the one path that a model named file_path or path (TL-11)", async () => {
  const { section } = await openWorkspace({});
  for (const name of ["edit_file", "multi_edit", "write_file", "read_file"]) {
    const tool = section.tools.find((each) => each.name === name);
    const more = { content: "x", mode: "append", old_string: "a", new_string: "b", edits: [] };
    const fields = Object.keys(tool?.inputSchema["properties"] ?? {});
    const rest = Object.fromEntries(Object.entries(more).filter(([key]) => fields.includes(key)));
    for (const key of ["file_path", "path"]) {
      const parsed = tool && (await parseInput(tool, { ...rest, [key]: "d/a.txt" }));
      const value = parsed?.success ? parsed.value : undefined;
      expect(value).toMatchObject({ path: "d/a.txt" });
      expect(value).not.toHaveProperty("file_path");
      if (name !== "read_file")
        expect(tool?.files?.changes?.(value)).toEqual([{ path: "d/a.txt", extent: "part" }]);
    }
  }
});

it("no hostile path makes a file tool throw, escape from the workspace or reveal its host path (TL-2, F180)", {
  timeout: 120_000,
}, async () => {
  const { call, filesystem } = await openWorkspace(FILES, {
    filesystem: await openBackend("host", FILES),
  });
  for (const { path } of hostilePaths) {
    await call("ls", { path });
    await call("read_file", { path });
    await call("glob", { pattern: "*", path });
    await call("grep", { pattern: "one", path });
    await call("edit_file", { path, old_string: "a", new_string: "b" });
    await call("copy", { source: path, destination: "copied/x", overwrite: true });
    await call("write_file", { path, content: "x" });
    await call("move", { source: path, destination: "moved/x", overwrite: true });
    await call("rm", { path });
  }
  expect(await filesystem.exists(".")).toBe(true);
});
