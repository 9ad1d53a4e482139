import { expect, it } from "vitest";
import { findFileLinks } from "./links.js";

it.each([
  { text: "[a](b.md)", target: "b.md", file: "docs/b.md" },
  { text: "[a](../b.md#part)", target: "../b.md#part", file: "b.md" },
  { text: "![a](b%20c.png)", target: "b%20c.png", file: "docs/b c.png" },
  { text: '[a](b.md "Title")', target: "b.md", file: "docs/b.md" },
  { text: "[a]: ./b.md", target: "./b.md", file: "docs/b.md" },
  { text: "[a](/specs)", target: "/specs", file: "specs" },
])("finds the file of the link `$text`", ({ text, target, file }) => {
  expect(findFileLinks("docs/page.md", `\n${text}\n`)).toEqual([{ line: 2, target, file }]);
});

it.each([
  "[a](https://example.org/b.md)",
  "[a](#part)",
  "[a](mailto:a@example.org)",
  "`[a](b.md)`",
])("leaves `%s` alone", (text) => {
  expect(findFileLinks("page.md", text)).toEqual([]);
});
