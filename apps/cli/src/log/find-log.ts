import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { isStoreUrl } from "@wink/store/url";
import { Workspace } from "@wink/workspace";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import { stateDirectory } from "../workspace/state-directory.js";

/** Returns the given run or log, or the last run on a directory. */
export async function findLog(
  io: Io,
  file: string | undefined,
  directory: string,
): Promise<string> {
  if (file !== undefined && isStoreUrl(file))
    return file.replace(/^sqlite:(?!\/)/i, `sqlite:${io.cwd}/`);
  if (file !== undefined) {
    const path = resolve(io.cwd, file);
    if (existsSync(path)) return path;
    throw new CliError(`Log ${file} does not exist.`, {
      exitCode: EXIT_CODES.usage,
      hint: "`wink run --log <directory>` writes one.",
    });
  }
  const info = Workspace.find(directory, { stateDirectory: stateDirectory(io.env) });
  const last = info.runs.list().find((path) => existsSync(join(path, "session.jsonl")));
  if (last !== undefined) return last;
  throw new CliError(`No run yet on ${info.directory}.`, {
    exitCode: EXIT_CODES.usage,
    hint: "Use `wink run <agent>`, or name a log file.",
  });
}
