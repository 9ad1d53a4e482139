import { expect, it } from "vitest";
import { findCodeBlocks, findRunnableBlocks, withoutCode } from "./code-blocks.js";

it("fenced blocks are found with their words, lines and text", () => {
  const page = "# Title\n\n```ts run\nconst a = 1;\n\n```\ntext\n~~~\nplain\n~~~\n";
  expect(findCodeBlocks(page)).toEqual([
    { info: ["ts", "run"], line: 3, text: "const a = 1;\n\n" },
    { info: [], line: 8, text: "plain\n" },
  ]);
});

it("a block inside a longer fence is text", () => {
  expect(findCodeBlocks("````md\n```ts run\na\n```\n````\n")).toEqual([
    { info: ["md"], line: 1, text: "```ts run\na\n```\n" },
  ]);
});

it("a block in a list loses the indentation of the list", () => {
  expect(findCodeBlocks("- item\n\n  ```ts\n  if (a)\n    b();\n  ```\n")).toEqual([
    { info: ["ts"], line: 3, text: "if (a)\n  b();\n" },
  ]);
});

it("a runnable block gets the output block that follows it", () => {
  const page = "```ts run\na\n```\n\nprints\n\n```text output\n1\n```\n";
  expect(findRunnableBlocks(page)).toEqual([{ line: 1, text: "a\n", expectedOutput: "1\n" }]);
});

it("an unmarked block is not run, and an output block after another block is ignored", () => {
  const page = "```ts\na\n```\n```ts run\nb\n```\n```sh\nc\n```\n```text output\n1\n```\n";
  expect(findRunnableBlocks(page)).toEqual([{ line: 4, text: "b\n" }]);
});

it("code is blanked out and line numbers stay the same", () => {
  const page = "a `code` b\n```ts\n[x](y)\n```\n[z](z.md) ``a`b``\n";
  expect(withoutCode(page)).toBe("a  b\n\n\n\n[z](z.md) \n");
});
