import { mkdir, mkdtemp, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { type RunReader, readRun } from "@wink/adapters/run";
import { HostFilesystem, removeHostTree } from "@wink/filesystem/host";
import type { Command } from "commander";
import {
  compareReplay,
  describeDifference,
  type ReplayComparison,
  RunFiles,
} from "#inspector/node";
import { runAgent } from "../run/run-agent.js";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import { answer, wantsJson } from "../terminal/print.js";
import { count } from "../view/amounts.js";
import { type ServeRunsOptions, serveRuns } from "./serve-runs.js";

export interface CheckReplayOptions extends ServeRunsOptions {
  /** The run whose answers of the model are replayed: an absolute path. */
  readonly recorded: string;
  /** The file of the agent. */
  readonly agent: string;
}

/**
 * Replays a run with an agent on the files that the run started with, and reports the first request that differs. Then
 * serves both runs next to each other.
 */
export async function checkReplay(
  io: Io,
  command: Command,
  { recorded, agent, ...options }: CheckReplayOptions,
): Promise<void> {
  const scratch = await realpath(await mkdtemp(join(tmpdir(), "wink-check-")));
  try {
    const replayed = join(scratch, "run");
    const failure = await replay(io, {
      recorded,
      agent,
      scratch,
      replayed,
      signal: options.signal,
    });
    using files = new RunFiles({ runs: [recorded, replayed], open: 0, compare: 1 });
    const { turns } = await files.source.overview("1").catch(() => ({ turns: [] }));
    // The agent failed before it asked the model anything.
    if (turns.length === 0 && failure !== undefined) throw failure;
    const result = await compareReplay(files.source);
    answer(io, command, result, describe);
    if (result.first === null) return;
    io.exitCode = EXIT_CODES.failed;
    if (!wantsJson(command) && io.isTerminal) await serveRuns(io, command, files.source, options);
  } finally {
    await removeHostTree(scratch);
  }
}

function describe({ equal, recorded, first }: ReplayComparison): string {
  if (first === null)
    return `The recording still replays: ${count(recorded, "request")} are equal.`;
  const { turn, sequence, difference } = first;
  const what =
    difference === null
      ? equal < recorded
        ? "the agent stops before it"
        : "the recording has no answer to it"
      : describeDifference(difference);
  return `Request ${turn + 1} of ${recorded} differs, at event ${sequence}: ${what}.`;
}

interface Replay {
  readonly recorded: string;
  readonly agent: string;
  readonly scratch: string;
  readonly replayed: string;
  readonly signal: AbortSignal;
}

/** Runs the agent in a temporary directory. Resolves to the reason of its failure: a different request has no answer. */
async function replay(
  io: Io,
  { recorded, agent, scratch, replayed, signal }: Replay,
): Promise<unknown> {
  using reader = await readRun(recorded);
  const workspace = join(scratch, "project");
  await copyFiles(reader, workspace);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const quiet: Io = {
    ...io,
    ...{ stdout: silent, stderr: silent, isTerminal: false, isStdoutTerminal: false },
    env: { ...io.env, WINK_STATE_DIR: join(scratch, "state") },
  };
  try {
    await runAgent(quiet, agent, {
      ...{ workspace, model: `replay:${recorded}`, param: paramsOf(reader) },
      ...{ backend: "host", log: replayed, includeSecrets: true, includeIgnored: true },
      ...{ mayAsk: false, debug: false, hasModel: true, signal },
      ...{ onAnswer: () => {}, interrupt: () => {} },
    });
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    return error;
  }
}

/** Writes the files that the run started with. */
async function copyFiles(reader: RunReader, directory: string): Promise<void> {
  if (reader.header?.base === undefined)
    throw new CliError("This run has no files, so it cannot be replayed.", {
      exitCode: EXIT_CODES.refused,
      hint: "Record it with this version of wink.",
    });
  await mkdir(directory);
  await using filesystem = await HostFilesystem.open(directory);
  for (const entry of reader.filesAt(0)) {
    const { path, kind } = entry;
    if (kind === "directory") await filesystem.mkdir(path, { parents: true });
    else if (kind === "symlink")
      await filesystem.symlink(new TextDecoder().decode(await entry.read()), path);
    else {
      await filesystem.writeBytes(path, await entry.read());
      if (entry.executable) await filesystem.chmod(path, 0o755);
    }
  }
}

/** The parameters of the run, as they are typed. */
function paramsOf({ header }: RunReader): readonly string[] {
  return Object.entries(Object(header?.params) as Record<string, unknown>).map(
    ([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
}
