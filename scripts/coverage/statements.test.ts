import { expect, it } from "vitest";
import { listFiles, readText } from "../repository.js";
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

it("no two promises of the specs have the same number", async () => {
  const pages = (await listFiles()).filter((file) => /^specs\/[^/]+\.md$/.test(file));
  // Rows of the threat model name the promises of other pages.
  const promises = pages
    .filter((page) => page !== "specs/threat-model.md")
    .flatMap((page) => findStatements(readText(page)));
  const ids = promises.map(({ id }) => id);
  expect(ids.length).toBeGreaterThan(500);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
});
