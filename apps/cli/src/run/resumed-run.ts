import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { type Agent, isAdapterError } from "@wink/adapters";
import { Run, type RunReader, readRun } from "@wink/adapters/run";
import { Workspace } from "@wink/workspace";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import { remark } from "../terminal/print.js";
import { count } from "../view/amounts.js";
import { stateDirectory } from "../workspace/state-directory.js";

/** The options of `wink run` that continue or fork a run. */
export interface ResumeOptions {
  /** Continues a run: the last one, or the one with this id or directory. */
  readonly resume?: true | string;
  /** Forks a run: `RUN@N`, or `@N` for the last run. */
  readonly from?: string;
}

interface Given extends ResumeOptions {
  readonly workspace: string;
  readonly model: string;
  /** Whether `--model` was given. */
  readonly hasModel: boolean;
  readonly param: readonly string[];
  readonly log?: string;
  readonly rev?: string | undefined;
  readonly budget?: string;
  readonly deadline?: string;
}

/** A run that `wink run` continues, or a new one that starts in the middle of another. */
export interface ResumedRun {
  readonly isFork: boolean;
  readonly params: unknown;
  readonly model: string;
  /** How the evaluation continues. */
  readonly evaluation: {
    readonly onAgentChanged: "refuse" | "continue";
    readonly renewLimits: boolean;
  };
  /** The run's directory, which a fork creates. */
  directory(create: () => string): Promise<string>;
  /** The agent with a script without the answers that are stored. */
  remaining<Of extends Pick<Agent, "script">>(agent: Of): Of;
}

/** The run that `--resume` or `--from` names. `undefined` without them. */
export async function findResumed(io: Io, given: Given): Promise<ResumedRun | undefined> {
  const { resume, from } = given;
  if (resume === undefined && from === undefined) return undefined;
  refuseOthers(given);
  const [, name, event] = /^(.*)@(\d+)$/.exec(from ?? "") ?? [];
  if (from !== undefined && event === undefined)
    throw usage(`--from takes RUN@N, not '${from}'.`, "N is the number of an event: see wink log.");
  const wanted = from === undefined ? resume : name === "" ? true : name;
  const source = findRun(io, given.workspace, wanted === true ? undefined : wanted);
  using run = await readRun(source);
  const at = event === undefined ? undefined : Number(event);
  if (at !== undefined && (at < 1 || at > run.lastSequence))
    throw usage(`The run has no event ${at}.`, `It has the events 1 to ${run.lastSequence}.`);
  if (at === undefined) requireNewest(io, given.workspace, source);
  const { params = {}, model = given.model, id } = run.header ?? {};
  const answers = await answersOf(run, at ?? Number.POSITIVE_INFINITY);
  const turns = count(answers, "answer");
  const shown = at === undefined ? "" : ` as it was after event ${at}`;
  remark(io, `Continues the run ${id ?? basename(source)}${shown}, with ${turns} of the model.`);
  const isFork = at !== undefined;
  const hasLimits = given.budget !== undefined || given.deadline !== undefined;
  return {
    ...{ isFork, params, model: given.hasModel ? given.model : model },
    evaluation: {
      onAgentChanged: isFork ? "continue" : "refuse",
      renewLimits: isFork || hasLimits,
    },
    async directory(create) {
      if (at === undefined) return source;
      const directory = create();
      await Run.fork(source, directory, { at });
      return directory;
    },
    remaining: (agent) =>
      Array.isArray(agent.script) ? { ...agent, script: agent.script.slice(answers) } : agent,
  };
}

/** The directory of a run: the last one of a workspace, or the one with this id or path. */
export function findRun(io: Io, workspace: string, name: string | undefined): string {
  const stored = { stateDirectory: stateDirectory(io.env) };
  const info = Workspace.find(resolve(io.cwd, workspace), stored);
  const runs = info.runs.list().filter((path) => existsSync(join(path, "session.jsonl")));
  const path = name === undefined ? runs[0] : runs.find((each) => basename(each) === name);
  if (path !== undefined) return path;
  if (name === undefined)
    throw usage(`No run yet on ${info.directory}.`, "Use `wink run <agent>` without --resume.");
  const given = resolve(io.cwd, name);
  if (existsSync(join(given, "session.jsonl"))) return given;
  throw usage(`Run '${name}' does not exist.`, "Name the directory of a run: see wink log.");
}

/** A later run has changed what the workspace compares with, so an earlier one could undo changes of the directory. */
function requireNewest(io: Io, workspace: string, source: string): void {
  const stored = { stateDirectory: stateDirectory(io.env) };
  const { runs } = Workspace.find(resolve(io.cwd, workspace), stored);
  const list = runs.list();
  const [newest] = list;
  if (newest === undefined || newest === source || !list.includes(source)) return;
  throw new CliError("A later run has worked on this directory.", {
    exitCode: EXIT_CODES.refused,
    hint: `To start from this run again, use --from ${basename(source)}@N.`,
  });
}

function refuseOthers({ resume, from, param, log, rev }: Given): void {
  const option = from === undefined ? "--resume" : "--from";
  const other = [
    resume !== undefined && from !== undefined && "--resume",
    param.length > 0 && "--param",
    log !== undefined && "--log",
    rev !== undefined && "--rev",
  ].find((each) => each !== false);
  if (other === undefined) return;
  throw usage(
    `${option} and ${other} cannot be combined.`,
    "A run keeps its parameters, its files and its place.",
  );
}

/** How many answers of the model are stored, also of subagents. */
async function answersOf(run: RunReader, before: number): Promise<number> {
  let answers = run.transcript.filter(
    ({ kind, sequence }) => kind === "turn" && sequence < before,
  ).length;
  for (const child of await run.children()) {
    if (child.sequence >= before) continue;
    using reader = await child.open();
    answers += await answersOf(reader, Number.POSITIVE_INFINITY);
  }
  return answers;
}

/** What to do about a run that waits. Other errors stay as they are. */
export function explainParked(error: unknown, runDirectory: string, file: string): unknown {
  if (!isAdapterError(error, "PARKED")) return error;
  return new CliError("The run waits for an answer.", {
    exitCode: EXIT_CODES.refused,
    hint: `Answer it with: wink runs answer ${runDirectory}. Then: wink run ${file} --resume`,
  });
}

function usage(message: string, hint: string): CliError {
  return new CliError(message, { exitCode: EXIT_CODES.usage, hint });
}
