import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { exportPage, findPage, RunFiles } from "../node.js";

/** A directory that is deleted at the end. */
export function scratch(): { readonly path: string; [Symbol.dispose](): void } {
  const path = mkdtempSync(join(tmpdir(), "wink-inspector-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** Exports runs into one file. Returns its address. */
export async function exportRuns(
  directory: string,
  runs: readonly string[],
  compare?: string,
): Promise<string> {
  using files = new RunFiles({ runs, open: 0 });
  const { html } = await exportPage({
    ...{ files, page: await findPage(), version: "test" },
    runs: runs.map((_, index) => `${index}`),
    ...{ omit: { prompts: false, files: false }, compare },
  });
  const file = join(directory, compare === undefined ? "run.html" : "compared.html");
  writeFileSync(file, html);
  return pathToFileURL(file).href;
}
