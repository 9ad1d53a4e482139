import { execFile } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { readText } from "../repository.js";
import { runCommand } from "../run-command.js";
import { makeScratchFolder } from "../scratch-folder.js";
import { findCodeBlocks } from "./code-blocks.js";

const PACKAGES = ["-y", "-p", "@mastra/core@1.71.0", "-p", "zod@4.6.7"];
const SKIPPED =
  "Mastra, with 135 MB, cannot be installed; its guide needs the npm registry once, for 'npx -p @mastra/core@1.71.0'";
/** Mastra is not a package of the clone, so every import of it is resolved from the folder of the program. */
const HOOKS = `export async function resolve(specifier, context, next) {
  const ours = specifier.startsWith("@mastra/core/") ? { parentURL: import.meta.url } : {};
  return await next(specifier, { ...context, ...ours });
}
`;

const installed = await install();

it.runIf(installed)(
  "the program of the Mastra guide prints what the page says (AD-141, AD-142)",
  async () => {
    const blocks = findCodeBlocks(readText("docs/guides/mastra.md"));
    const program = blocks.find(({ info }) => info.includes("program"))?.text ?? "";
    const output = blocks.find(({ info }) => info.includes("output"))?.text;
    await using folder = await makeScratchFolder("mastra");
    const inFolder = (name: string) => path.join(folder.path, name);
    await mkdir(inFolder("node_modules/@mastra"), { recursive: true });
    await symlink(path.join(installed, "@mastra/core"), inFolder("node_modules/@mastra/core"));
    await writeFile(inFolder("program.ts"), program);
    await writeFile(inFolder("hooks.mjs"), HOOKS);
    const register = `import { register } from "node:module"; register("./hooks.mjs", import.meta.url);`;
    await writeFile(inFolder("register.mjs"), register);
    const imports = [import.meta.resolve("tsx"), inFolder("register.mjs")];
    const result = await runCommand("node", [
      ...imports.flatMap((module) => ["--import", module]),
      "--conditions=@wink/source",
      inFolder("program.ts"),
    ]);
    expect(result.stdout, result.output).toBe(output);
  },
);

/** The folder with the package, which npx installs if it is missing. */
async function install(): Promise<string> {
  try {
    const args = [...PACKAGES, "-c", "echo $PATH"];
    const { stdout } = await promisify(execFile)("npx", args, { timeout: 200_000 });
    return path.dirname(stdout.trim().split(":")[0] ?? "");
  } catch (error) {
    if (process.env["WINK_REQUIRE_ALL"]) throw new Error(SKIPPED, { cause: error });
    console.log(`skipped: ${SKIPPED}`);
    return "";
  }
}
