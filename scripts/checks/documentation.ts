import { existsSync } from "node:fs";
import path from "node:path";
import { findRunnableBlocks } from "../documentation/code-blocks.js";
import { findFileLinks } from "../documentation/links.js";
import { checkReference } from "../documentation/reference.js";
import { runSnippets, SNIPPETS_PER_RUN } from "../documentation/run-snippets.js";
import { type Check, outcomeOf } from "../outcome.js";
import { listFiles, readText, root } from "../repository.js";

/** The list of pages that coding agents read. */
const LIST_FOR_AGENTS = "docs/llms.txt";

interface Page {
  readonly page: string;
  readonly markdown: string;
}

export const documentation: Check = {
  name: "documentation",
  promise:
    "every block marked `ts run` compiles, runs and prints what its page says; links lead somewhere; the reference is current",
  usualSeconds: 80,

  async run() {
    const pages = (await listFiles())
      .filter((file) => file.endsWith(".md") || file === LIST_FOR_AGENTS)
      .map((page) => ({ page, markdown: readText(page) }));
    const snippets = pages.flatMap(({ page, markdown }) =>
      findRunnableBlocks(markdown).map((block) => ({ ...block, page })),
    );
    const outcome = outcomeOf([
      ...(await runSnippets(snippets)),
      ...pages.map(({ page, markdown }) => ({ problems: findDeadLinks(page, markdown) })),
      { problems: findUnlisted(pages) },
      await checkReference(),
    ]);
    if (SNIPPETS_PER_RUN === 1) return outcome;
    const note = `only in CI, or with WINK_MORE_ROUNDS=1: runs of ${SNIPPETS_PER_RUN - 1} of ${SNIPPETS_PER_RUN} programs; all were compiled`;
    return { ...outcome, notes: [...outcome.notes, note] };
  },
};

/** Finds pages of the documentation that llms.txt does not list. The reference has its own list. */
function findUnlisted(pages: readonly Page[]): readonly string[] {
  const list = pages.find(({ page }) => page === LIST_FOR_AGENTS);
  const listed = new Set(
    findFileLinks(LIST_FOR_AGENTS, list?.markdown ?? "").map(({ file }) => file),
  );
  return pages
    .map(({ page }) => page)
    .filter((page) => page.startsWith("docs/") && !page.startsWith("docs/reference/"))
    .filter((page) => page !== LIST_FOR_AGENTS && !listed.has(page))
    .map((page) => `${page} is not in ${LIST_FOR_AGENTS}.`);
}

function findDeadLinks(page: string, markdown: string): readonly string[] {
  return findFileLinks(page, markdown)
    .filter(({ file }) => !existsSync(path.join(root, file)))
    .map(({ line, target }) => `${page}:${line} links to ${target}, but this file does not exist.`);
}
