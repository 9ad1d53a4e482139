import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { buildPackages } from "../build-packages.js";
import { mapConcurrently } from "../map-concurrently.js";
import type { Verdict } from "../outcome.js";
import { runCommand } from "../run-command.js";
import { makeScratchFolder } from "../scratch-folder.js";
import type { RunnableBlock } from "./code-blocks.js";

/** A runnable block and its page. */
export interface Snippet extends RunnableBlock {
  readonly page: string;
}

const TIMEOUT_MS = 60_000;

/** The folder of the compiled snippets, below that of their sources. */
const COMPILED = "compiled";

/** The plain test command compiles all snippets and runs one of this many. CI runs all. */
export const SNIPPETS_PER_RUN = process.env["WINK_MORE_ROUNDS"] === undefined ? 4 : 1;

/** Compiles all snippets together, against the build of the packages, and runs them, each in a new empty folder. */
export async function runSnippets(snippets: readonly Snippet[]): Promise<readonly Verdict[]> {
  if (snippets.length === 0) return [];
  // Inside the clone, so that a snippet finds every package of the workspace.
  await using folder = await makeScratchFolder("snippets");
  await buildPackages();
  await writeSnippets(snippets, folder.path);
  const errors = await compile(snippets, folder.path);
  const chosen = new Set(snippets.filter((_, index) => index % SNIPPETS_PER_RUN === 0));
  return await mapConcurrently(snippets, async (snippet) => {
    const problems = errors.get(snippet);
    if (problems !== undefined) return { problems };
    return { problems: chosen.has(snippet) ? await run(snippet, folder.path) : [] };
  });
}

async function writeSnippets(snippets: readonly Snippet[], folder: string): Promise<void> {
  const config = {
    extends: "../../tsconfig.base.json",
    compilerOptions: {
      outDir: COMPILED,
      rootDir: ".",
      // The build of the packages and not their sources.
      customConditions: [],
      composite: false,
      declarationMap: false,
      inlineSourceMap: true,
      sourceMap: false,
      moduleDetection: "force",
      // A snippet may name a value for the reader and not use it again.
      noUnusedLocals: false,
    },
    include: ["*.ts"],
  };
  await writeFile(path.join(folder, "tsconfig.json"), JSON.stringify(config));
  for (const snippet of snippets) {
    // Blank lines before the code, so that every message has the page's line number.
    const text = "\n".repeat(snippet.line) + snippet.text;
    await writeFile(path.join(folder, fileName(snippet)), text);
  }
}

async function compile(
  snippets: readonly Snippet[],
  folder: string,
): Promise<Map<Snippet, string[]>> {
  const { output } = await runCommand("tsc", ["-p", folder, "--pretty", "false"]);
  const errors = new Map<Snippet, string[]>();
  for (const snippet of snippets) {
    const name = fileName(snippet);
    const lines = output.split("\n").filter((line) => line.includes(`${name}(`));
    const found = lines.map((line) => line.replace(/^.*\.ts\((\d+),\d+\)/, `${snippet.page}:$1`));
    if (found.length > 0) errors.set(snippet, found);
  }
  return errors;
}

async function run(snippet: Snippet, folder: string): Promise<readonly string[]> {
  const cwd = await mkdtemp(path.join(tmpdir(), "wink-snippet-"));
  try {
    const file = path.join(folder, COMPILED, fileName(snippet).replace(/\.ts$/, ".js"));
    const args = ["--enable-source-maps", file];
    const { ok, stdout, output } = await runCommand("node", args, { cwd, timeoutMs: TIMEOUT_MS });
    const where = `${snippet.page}:${snippet.line}`;
    if (!ok) return [`${where} fails:\n${output.trim()}`];
    const { expectedOutput = stdout } = snippet;
    if (stdout === expectedOutput) return [];
    return [`${where} prints:\n${stdout}but its page promises:\n${expectedOutput}`];
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}

function fileName({ page, line }: Snippet): string {
  return `${page.replaceAll(/[^A-Za-z0-9]+/g, "-")}-${line}.ts`;
}
