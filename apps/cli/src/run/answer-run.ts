import { Run, type RunPark, readRun } from "@wink/adapters/run";
import type { JsonValue } from "@wink/session";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import { findStoredRun } from "./find-stored-run.js";
import { findRun } from "./resumed-run.js";

/** The options of `wink runs answer`, as typed. */
export interface AnswerOptions {
  readonly workspace: string;
  readonly run?: string;
  readonly store?: string;
  readonly id?: string;
  readonly reason?: string;
}

interface AnswerReport {
  readonly run: string;
  readonly waits: readonly RunPark[];
  readonly answered: string | null;
}

/** Answers what a run waits for. Without a value, it only reports it. */
export async function answerRun(
  io: Io,
  value: string | undefined,
  options: AnswerOptions,
): Promise<{ readonly report: AnswerReport; readonly text: string }> {
  const stored = await findStoredRun(io, options.store, options.run);
  const directory = stored?.source ?? findRun(io, options.workspace, options.run);
  using run = await readRun(directory);
  // No person answers for a subagent.
  const waits = run.parks.filter(({ isAnswered, kind }) => !isAnswered && kind !== "subagent");
  const report = { run: stored?.id ?? directory, waits };
  if (value === undefined) return { report: { ...report, answered: null }, text: listOf(waits) };
  const park = waits.find(({ id }) => options.id === undefined || id === options.id);
  if (park === undefined || (options.id === undefined && waits.length > 1))
    throw new CliError(
      park === undefined ? "The run does not wait for this." : "The run waits for several answers.",
      { exitCode: EXIT_CODES.usage, hint: `${listOf(waits)} Name one with --id.` },
    );
  await Run.answer(directory, answerOf(park, value, options.reason), { id: park.id });
  // The URL of a store may have a password.
  const named = stored === undefined ? "" : ` ${stored.id} --store <url>`;
  const text = `Answered: ${park.text} Continue the run with: wink run <agent> --resume${named}`;
  return { report: { ...report, answered: park.id }, text };
}

/** An approval is `yes` or `no`. Everything else is JSON, or text. */
function answerOf({ kind }: RunPark, text: string, reason: string | undefined): JsonValue {
  if (kind === "approval" && text === "yes") return { allow: true };
  if (kind === "approval" && text === "no")
    return { allow: false, ...(reason !== undefined && { reason }) };
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function listOf(waits: readonly RunPark[]): string {
  if (waits.length === 0) return "The run waits for nothing.";
  const lines = waits.map(({ id, kind, text }) => `${id}: ${text} (${kind})`);
  return `The run waits for:\n${lines.join("\n")}`;
}
