import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { isStoreUrl } from "@wink/store/url";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import { placeUrl } from "../workspace/place-url.js";
import { findNamed, isRun, noRunYet, runsOn } from "../workspace/recorded-runs.js";
import { stateDirectory } from "../workspace/state-directory.js";

/** More runs make the first page slow. */
const MAX_RUNS = 50;

/** The runs that a name means, newest first: a run, a log, the runs in a directory, or those on a workspace. */
export function findRuns(io: Io, name: string | undefined, workspace: string): readonly string[] {
  if (name !== undefined && isStoreUrl(name)) return [placeUrl(name, io.cwd)];
  const path = name === undefined ? workspace : findNamed(io, name, workspace);
  // `wink demo` prints this name for its own run.
  const demo = join(stateDirectory(io.env), "demo");
  if (name === "demo" && path === undefined && existsSync(demo)) return runsAt(demo).slice(0, 1);
  if (path === undefined || !existsSync(path))
    throw new CliError(`Run ${name} does not exist.`, {
      exitCode: EXIT_CODES.usage,
      hint: "`wink inspect` without a name lists the runs on this directory.",
    });
  const runs = name === undefined ? [] : runsAt(path);
  if (runs.length > 0) return runs;
  const found = runsOn(io, path).slice(0, MAX_RUNS);
  if (found.length > 0) return found;
  throw noRunYet(io, path, "Use `wink run <agent>`, or name the directory of a run.");
}

function runsAt(path: string): readonly string[] {
  if (!statSync(path).isDirectory() || isRun(path)) return [path];
  const names = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const runs = names.map((entry) => join(path, entry.name)).filter(isRun);
  // The names of a workspace's runs begin with their time.
  return runs.sort((a, b) => (a < b ? 1 : -1)).slice(0, MAX_RUNS);
}
