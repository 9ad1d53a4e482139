import { join } from "node:path";
import { isAdapterError } from "@wink/adapters";
import { type RunReader, readRun } from "@wink/adapters/run";
import { isSessionError, type Session } from "@wink/session";
import { replayLog } from "@wink/session/jsonl";
import type { Command } from "commander";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import { answer, colorsFor, sayJson, wantsJson } from "../terminal/print.js";
import { printPatch } from "../workspace/print-patch.js";
import { diffAt } from "./diff-at.js";
import { renderState, SHOWN_SLICES, stateOf } from "./state-at.js";
import { renderTimeline, timelineOf } from "./timeline.js";

export interface ShowLogOptions {
  /** Also show events that repeat another line. */
  readonly all: boolean;
}

/** Prints a run as a timeline. */
export async function showTimeline(
  io: Io,
  command: Command,
  path: string,
  { all }: ShowLogOptions,
): Promise<void> {
  using run = await read(path);
  const entries = timelineOf(run.events, all);
  const style = { colors: colorsFor(io), columns: io.columns };
  answer(io, command, { log: path, events: entries }, () => renderTimeline(entries, style));
}

/** Prints the session state after one event. */
export async function showState(io: Io, command: Command, path: string, at: number): Promise<void> {
  using run = await read(path);
  const state = stateOf(sessionAt(run, at), at);
  answer(io, command, state, () => renderState(state, colorsFor(io), io.columns));
}

/** Prints the changes of the run after one event, or at its end. */
export async function showDiff(
  io: Io,
  command: Command,
  path: string,
  { at, directory }: { readonly at: number | undefined; readonly directory: string },
): Promise<void> {
  using run = await read(path);
  const sequence = at ?? run.lastSequence;
  // Checks that there is such an event.
  sessionAt(run, sequence);
  const patch = await patchAt(run, sequence, { path, directory });
  if (wantsJson(command)) sayJson(io, { sequence, patch });
  else printPatch(io, patch);
}

/** The changes from the stored states. A log of an earlier version has none, so its events are replayed. */
async function patchAt(
  run: RunReader,
  sequence: number,
  { path, directory }: { readonly path: string; readonly directory: string },
): Promise<string> {
  if (run.header?.base === undefined) {
    // `path` is a log, or the directory of a run of an earlier version.
    const replay = (log: string) => replayLog(log, { upTo: sequence });
    const session = await replay(path).catch(() => replay(join(path, "session.jsonl")));
    return await diffAt(session, directory);
  }
  return await (await run.diff(0, sequence)).toPatch();
}

function sessionAt(run: RunReader, sequence: number): Session {
  try {
    return run.sessionAt(sequence);
  } catch (error) {
    if (!isSessionError(error, "EVENT_UNKNOWN")) throw error;
    throw new CliError(`The log has no event ${sequence}.`, {
      exitCode: EXIT_CODES.usage,
      hint: "`wink log` without --at lists the events.",
      cause: error,
    });
  }
}

async function read(path: string): Promise<RunReader> {
  try {
    return await readRun(path, { slices: SHOWN_SLICES });
  } catch (error) {
    if (isSessionError(error) || isAdapterError(error))
      throw new CliError(`This is not the log of a run: ${error.message}`, { cause: error });
    throw error;
  }
}
