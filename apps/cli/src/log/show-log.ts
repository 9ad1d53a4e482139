import { isSessionError } from "@wink/session";
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
  const entries = timelineOf(await read(path), all);
  const style = { colors: colorsFor(io), columns: io.columns };
  answer(io, command, { log: path, events: entries }, () => renderTimeline(entries, style));
}

/** Prints the session state after one event. */
export async function showState(io: Io, command: Command, path: string, at: number): Promise<void> {
  const state = stateOf(await read(path, at), at);
  answer(io, command, state, () => renderState(state, colorsFor(io), io.columns));
}

/** Prints the changes of the run after one event, or at its end. */
export async function showDiff(
  io: Io,
  command: Command,
  path: string,
  { at, directory }: { readonly at: number | undefined; readonly directory: string },
): Promise<void> {
  const session = await read(path, at);
  const patch = await diffAt(session, directory);
  const sequence = session.events.lastSequence;
  if (wantsJson(command)) sayJson(io, { sequence, patch });
  else printPatch(io, patch);
}

async function read(path: string, upTo?: number) {
  try {
    return await replayLog(path, {
      slices: SHOWN_SLICES,
      ...(upTo !== undefined && { upTo }),
    });
  } catch (error) {
    if (isSessionError(error, "EVENT_UNKNOWN"))
      throw new CliError(`The log has no event ${upTo}.`, {
        exitCode: EXIT_CODES.usage,
        hint: "`wink log` without --at lists the events.",
        cause: error,
      });
    if (isSessionError(error))
      throw new CliError(`This is not the log of a run: ${error.message}`, { cause: error });
    throw error;
  }
}
