import { basename, resolve } from "node:path";
import { type Agent, isAdapterError } from "@wink/adapters";
import { Run, type RunReader, readRun } from "@wink/adapters/run";
import type { Store } from "@wink/store";
import { Workspace } from "@wink/workspace";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import { remark } from "../terminal/print.js";
import { count } from "../view/amounts.js";
import { findNamed, isRun, noRunYet, runsOn } from "../workspace/recorded-runs.js";
import { stateDirectory } from "../workspace/state-directory.js";
import { findStoredRun, newRunId } from "./find-stored-run.js";

/** The options of `wink run` that continue or fork a run. */
export interface ResumeOptions {
  /** Continues a run: the last one, or the one with this id, directory or `<store-url>#<id>`. */
  readonly resume?: true | string;
  /** Forks a run: `RUN@N`, or `@N` for the last run. */
  readonly from?: string;
  /** The URL of the store with the run. */
  readonly store?: string;
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

/** A run in a store that is continued or forked. */
export interface ResumedInStore {
  readonly url: string;
  /** Resolves to the id of the run to open, which a fork creates. */
  open(store: Store): Promise<string>;
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
  /** Of a run in a store. */
  readonly stored: ResumedInStore | undefined;
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
  const named = wanted === true ? undefined : wanted;
  const stored = await findStoredRun(io, given.store, named);
  const source = stored?.source ?? findRun(io, given.workspace, named);
  using run = await readRun(source);
  const at = event === undefined ? undefined : Number(event);
  if (at !== undefined && (at < 1 || at > run.lastSequence))
    throw usage(`The run has no event ${at}.`, `It has the events 1 to ${run.lastSequence}.`);
  if (at === undefined && stored === undefined) requireNewest(io, given.workspace, source);
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
    stored: stored && {
      url: stored.url,
      async open(store) {
        if (at === undefined) return stored.id;
        return (await Run.fork({ store, id: stored.id }, newRunId(), { at })).id;
      },
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
  if (name === undefined) {
    const [last] = runsOn(io, workspace);
    if (last !== undefined) return last;
    throw noRunYet(io, workspace, "Use `wink run <agent>` without --resume.");
  }
  const path = findNamed(io, name, workspace);
  if (path !== undefined && isRun(path)) return path;
  throw usage(`Run '${name}' does not exist.`, "Name the directory of a run: see wink log.");
}

/**
 * A later run has changed the base of the workspace, so continuing an earlier run could undo changes of the directory.
 */
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
export function explainParked(
  error: unknown,
  { run, file, isStored }: { run: string; file: string; isStored: boolean },
): unknown {
  if (!isAdapterError(error, "PARKED")) return error;
  // The URL of a store may have a password.
  const store = isStored ? " --store <url>" : "";
  return new CliError("The run waits for an answer.", {
    exitCode: EXIT_CODES.refused,
    hint: `Answer it with: wink runs answer --run ${run}${store}. Then: wink run ${file} --resume ${run}${store}`,
  });
}

function usage(message: string, hint: string): CliError {
  return new CliError(message, { exitCode: EXIT_CODES.usage, hint });
}
