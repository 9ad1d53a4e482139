import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { CliError } from "../cli-error.js";
import { EXIT_CODES } from "../exit-codes.js";
import { agentFiles } from "./agent-files.js";

export interface InitOptions {
  readonly cwd: string;
  /** How `wink` is started here, for the README. */
  readonly wink: string;
}

export interface InitReport {
  readonly directory: string;
  readonly files: readonly string[];
}

/** Writes an agent that runs into a directory. Nothing that is there is overwritten: then nothing is written. */
export async function initAgent(given: string, { cwd, wink }: InitOptions): Promise<InitReport> {
  const directory = resolve(cwd, given);
  const files = agentFiles(basename(directory), wink);
  const taken = Object.keys(files).filter((path) => existsSync(join(directory, path)));
  if (taken.length > 0)
    throw new CliError(`${directory} has ${taken.join(", ")} already, so nothing was written.`, {
      exitCode: EXIT_CODES.refused,
      hint: "Name another directory: wink init my-agent.",
    });
  await mkdir(directory, { recursive: true });
  for (const [path, content] of Object.entries(files))
    await writeFile(join(directory, path), content, { flag: "wx" });
  return { directory, files: Object.keys(files) };
}
