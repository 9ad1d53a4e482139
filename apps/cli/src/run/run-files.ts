import { constants, existsSync } from "node:fs";
import { access, mkdir, stat, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { OpenedModel } from "../model/open-model.js";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";

/** Where `--log` leads. A log is of one run: a second one would go on with what the first knew. */
export function newLogFile(io: Io, given: string): string {
  const path = resolve(io.cwd, given);
  if (!existsSync(path)) return path;
  throw new CliError(`There is a file ${given} already.`, {
    exitCode: EXIT_CODES.refused,
    hint: "Name another one for --log; without it the log is kept with the workspace.",
  });
}

/**
 * Where `--patch` or `--record` leads, with its directory made. Found out before the run: one whose result has no place is not
 * paid for.
 */
export async function placeForFile(io: Io, option: string, given: string): Promise<string> {
  const path = resolve(io.cwd, given);
  try {
    await mkdir(dirname(path), { recursive: true });
    if (!existsSync(path)) await access(dirname(path), constants.W_OK);
    else if ((await stat(path)).isDirectory()) throw new Error("it is a directory");
    else await access(path, constants.W_OK);
    return path;
  } catch (cause) {
    throw new CliError(`${option} cannot be written to ${given}.`, {
      exitCode: EXIT_CODES.usage,
      hint: "Name a file in a directory that you may write to.",
      cause,
    });
  }
}

/** Writes what was recorded, also of a run that failed. It holds everything that the model was shown, so it is for the user alone. */
export async function keepRecording({ recording }: OpenedModel, path: string): Promise<void> {
  if (recording === undefined) throw new CliError("This model cannot be recorded.");
  await writeFile(path, `${JSON.stringify(recording())}\n`, { mode: 0o600 });
}
