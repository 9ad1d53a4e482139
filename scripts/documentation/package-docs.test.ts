import { expect, it } from "vitest";
import { listFiles } from "../repository.js";
import { renderContents, shippedPages, withoutLostLinks } from "./package-docs.js";

it("links to shipped pages are kept, and other links become text", () => {
  const page =
    "[a](b.md#part) [gone](../c.md) [web](https://example.org) [here](#part)\n```md\n[x](gone.md)\n```\n";
  expect(withoutLostLinks("guides/a.md", page, new Set(["guides/b.md"]))).toBe(
    "[a](b.md#part) gone [web](https://example.org) [here](#part)\n```md\n[x](gone.md)\n```\n",
  );
});

it("the first page of a package lists its pages by their titles", () => {
  expect(renderContents("@wink/house", new Map([["guides/a.md", "# A door\n"]]))).toBe(
    "# @wink/house: documentation\n\n- [A door](guides/a.md)\n",
  );
});

it("every guide and concept is shipped with one package", async () => {
  const written = (await listFiles())
    .filter((file) => /^docs\/(guides|concepts)\//.test(file))
    .map((file) => file.replace("docs/", ""));
  const shipped = Object.values(shippedPages)
    .flat()
    .filter((page) => page.includes("/"));
  expect(shipped.toSorted()).toEqual(written.toSorted());
});
