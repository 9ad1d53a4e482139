import { existsSync, lstatSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import { type AgentFilesOptions, agentFiles } from "./agent-files.js";

export interface InitReport {
  readonly directory: string;
  readonly files: readonly string[];
  /** Whether an editor finds the packages only after an installation. `wink run` always does. */
  readonly needsInstall: boolean;
}

/** Writes a runnable agent into a directory. If any of the files exists, it writes nothing. */
export async function initAgent(options: AgentFilesOptions): Promise<InitReport> {
  const { directory } = options;
  const files = agentFiles(options);
  const taken = Object.keys(files).filter((path) => isTaken(join(directory, path)));
  if (taken.length > 0)
    throw new CliError(`${directory} has ${taken.join(", ")} already, so nothing was written.`, {
      exitCode: EXIT_CODES.refused,
      hint: "Name another directory: `wink init my-agent`.",
    });
  await mkdir(directory, { recursive: true }).catch((cause: unknown) => {
    throw new CliError(`${directory} cannot be created.`, {
      exitCode: EXIT_CODES.usage,
      hint: "A file is in the way, or you may not write there. Name another directory.",
      cause,
    });
  });
  for (const [path, content] of Object.entries(files))
    await writeFile(join(directory, path), content, { flag: "wx" });
  return {
    directory,
    files: Object.keys(files),
    needsInstall: !resolvesPackages(directory),
  };
}

/** A dangling symbolic link also counts as existing. */
function isTaken(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // A file is in the place of a directory. Creating the directory will report that.
    return false;
  }
}

/** Whether a file in `directory` can import the packages. */
function resolvesPackages(directory: string): boolean {
  const folders = createRequire(join(directory, "agent.ts")).resolve.paths("@wink/prompt") ?? [];
  return folders.some((folder) => existsSync(join(folder, "@wink/prompt")));
}
