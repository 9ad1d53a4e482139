import { expect, it } from "vitest";
import { findStatements } from "./statements.js";

it("findStatements finds numbered lines as items, paragraphs and rows", () => {
  const page = [
    "# Title",
    "- **A901** An item.",
    "**ZZ-1** A paragraph",
    "that continues.",
    "| **ZZ-2** | A row | of cells |",
    "A mention of **ZZ-3** is not a statement.",
  ].join("\n");
  expect(findStatements(page)).toEqual([
    { id: "A901", text: "An item." },
    { id: "ZZ-1", text: "A paragraph" },
    { id: "ZZ-2", text: "A row of cells" },
  ]);
});
