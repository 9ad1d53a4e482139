import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { CliError } from "../cli-error.js";
import { EXIT_CODES } from "../exit-codes.js";
import type { Io } from "../io.js";
import type { OpenedModel } from "../model/open-model.js";

/** Where `--log` leads. A log is of one run: a second one would go on with what the first knew. */
export function newLogFile(io: Io, given: string): string {
  const path = resolve(io.cwd, given);
  if (!existsSync(path)) return path;
  throw new CliError(`There is a file ${given} already.`, {
    exitCode: EXIT_CODES.refused,
    hint: "Name another one for --log; without it the log is kept with the workspace.",
  });
}

/** Writes what was recorded, also of a run that failed. It holds everything that the model was shown, so it is for the user alone. */
export async function keepRecording(
  io: Io,
  { recording }: OpenedModel,
  file: string,
): Promise<void> {
  if (recording === undefined) throw new CliError("This model cannot be recorded.");
  const path = resolve(io.cwd, file);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${JSON.stringify(recording())}\n`, { mode: 0o600 });
}
