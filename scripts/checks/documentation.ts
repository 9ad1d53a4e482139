import { existsSync } from "node:fs";
import path from "node:path";
import { findRunnableBlocks } from "../documentation/code-blocks.js";
import { findFileLinks } from "../documentation/links.js";
import { checkReference } from "../documentation/reference.js";
import { runSnippets } from "../documentation/run-snippets.js";
import { type Check, outcomeOf } from "../outcome.js";
import { listFiles, readText, root } from "../repository.js";

export const documentation: Check = {
  name: "documentation",
  promise:
    "every block marked `ts run` compiles, runs and prints what its page says; links lead somewhere; the reference is current",

  async run() {
    const pages = (await listFiles())
      .filter((file) => file.endsWith(".md"))
      .map((page) => ({ page, markdown: readText(page) }));
    const snippets = pages.flatMap(({ page, markdown }) =>
      findRunnableBlocks(markdown).map((block) => ({ ...block, page })),
    );
    return outcomeOf([
      ...(await runSnippets(snippets)),
      ...pages.map(({ page, markdown }) => ({ problems: findDeadLinks(page, markdown) })),
      await checkReference(),
    ]);
  },
};

function findDeadLinks(page: string, markdown: string): readonly string[] {
  return findFileLinks(page, markdown)
    .filter(({ file }) => !existsSync(path.join(root, file)))
    .map(({ line, target }) => `${page}:${line} links to ${target}, but there is no such file.`);
}
