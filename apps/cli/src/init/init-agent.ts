import { lstatSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import { agentFiles } from "./agent-files.js";

export interface InitOptions {
  readonly cwd: string;
  /** The command that starts `wink` in the directory, for the README. */
  readonly wink: string;
}

export interface InitReport {
  readonly directory: string;
  readonly files: readonly string[];
}

/** Writes a runnable agent into a directory. If any of the files exists, it writes nothing. */
export async function initAgent(given: string, { cwd, wink }: InitOptions): Promise<InitReport> {
  const directory = resolve(cwd, given);
  const files = agentFiles(basename(directory), wink);
  const taken = Object.keys(files).filter((path) => isTaken(join(directory, path)));
  if (taken.length > 0)
    throw new CliError(`${directory} has ${taken.join(", ")} already, so nothing was written.`, {
      exitCode: EXIT_CODES.refused,
      hint: "Name another directory: wink init my-agent.",
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
  return { directory, files: Object.keys(files) };
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
