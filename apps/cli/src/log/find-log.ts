import { isStoreUrl } from "@wink/store/url";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import { placeUrl } from "../workspace/place-url.js";
import { findNamed, noRunYet, runsOn } from "../workspace/recorded-runs.js";

/** Returns the given run or log, or the last run on a directory. */
export async function findLog(
  io: Io,
  file: string | undefined,
  directory: string,
): Promise<string> {
  if (file !== undefined && isStoreUrl(file)) return placeUrl(file, io.cwd);
  if (file !== undefined) {
    const path = findNamed(io, file, directory);
    if (path !== undefined) return path;
    throw new CliError(`Log ${file} does not exist.`, {
      exitCode: EXIT_CODES.usage,
      hint: "`wink run --log <directory>` writes one.",
    });
  }
  const [last] = runsOn(io, directory);
  if (last !== undefined) return last;
  throw noRunYet(io, directory, "Use `wink run <agent>`, or name a log file.");
}
