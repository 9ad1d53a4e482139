import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import { findPlace } from "../workspace/workspace-place.js";

/** Returns the given log, or the log of the last run on a directory. */
export async function findLog(
  io: Io,
  file: string | undefined,
  directory: string,
): Promise<string> {
  if (file !== undefined) {
    const path = resolve(io.cwd, file);
    if (existsSync(path)) return path;
    throw new CliError(`Log ${file} does not exist.`, {
      exitCode: EXIT_CODES.usage,
      hint: "`wink run --log <file>` writes one.",
    });
  }
  const place = await findPlace(directory, io.env);
  const names = await readdir(place.sessions).catch((): string[] => []);
  // The names sort by time.
  const last = names
    .filter((name) => name.endsWith(".jsonl"))
    .sort()
    .at(-1);
  if (last !== undefined) return join(place.sessions, last);
  throw new CliError(`No run yet on ${place.directory}.`, {
    exitCode: EXIT_CODES.usage,
    hint: "Use `wink run <agent>`, or name a log file.",
  });
}
