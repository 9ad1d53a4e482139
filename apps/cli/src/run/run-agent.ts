import { basename, resolve } from "node:path";
import type { Agent, AgentWorkspace, ModelAdapter } from "@wink/adapters";
import { Run as RecordedRun } from "@wink/adapters/run";
import { type Filesystem, isSnapshotable, type SnapshotableFilesystem } from "@wink/filesystem";
import { Budget, type EvaluateOptions, type ModelSettings } from "@wink/prompt";
import { InProcessDispatcher, type JsonValue, type Session } from "@wink/session";
import { loadAgent } from "../agent/load-agent.js";
import { readParams } from "../agent/read-params.js";
import { startChat } from "../chat/start-chat.js";
import { openModel } from "../model/open-model.js";
import type { Io } from "../terminal/io.js";
import { remark, stderrColorsFor } from "../terminal/print.js";
import { LiveView } from "../view/live-view.js";
import { announceRun } from "./announce-run.js";
import { approveCalls } from "./approve-calls.js";
import { createPrompt } from "./create-prompt.js";
import { evaluateWithStops } from "./evaluate-with-stops.js";
import { openRunWorkspace } from "./open-run-workspace.js";
import { pricesOf, readBudget, readDeadline, readPrices, requireCountable } from "./read-limits.js";
import { readSettings, type SettingsOptions } from "./read-settings.js";
import { explainParked, findResumed, type ResumeOptions } from "./resumed-run.js";
import { keepRecording, newLogDirectory, placeForFile } from "./run-files.js";
import type { RunAnswer, RunReport } from "./run-report.js";
import type { Backend, RunWorkspace } from "./run-workspace.js";
import { sayWhereThingsAre } from "./say-where-things-are.js";
import { settleChanges } from "./settle-changes.js";

/** The options of `wink run`, as typed. */
export interface RunOptions extends SettingsOptions, ResumeOptions {
  readonly workspace: string;
  /** A git revision to work on instead of the files on disk. */
  readonly rev?: string | undefined;
  readonly model: string;
  readonly param: readonly string[];
  readonly backend: Backend;
  readonly image?: string;
  readonly budget?: string;
  readonly price?: string;
  readonly deadline?: string;
  readonly maxTurns?: number;
  readonly log?: string;
  /** Whether the AGENTS.md files and the skills of the directory are added. @default true */
  readonly agentsFile?: boolean;
  /** The URL of a store. */
  readonly store?: string;
  /** The files of the store that the run starts with. */
  readonly base?: string;
  /** @default true */
  readonly transcript?: boolean;
  readonly record?: string;
  readonly includeSecrets?: true;
  readonly includeIgnored?: true;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly continue?: true;
  readonly apply?: true;
  readonly patch?: string;
  readonly yes?: true;
}

export interface RunAgentOptions extends RunOptions {
  /** Whether `--model` was given. */
  readonly hasModel: boolean;
  /** Whether a person can be asked at the end. */
  readonly mayAsk: boolean;
  /** Whether to show the stacks of errors in the agent's code. */
  readonly debug: boolean;
  /** Called with the answer before the person is asked, and whether its text was shown already. */
  readonly onAnswer: (answer: RunAnswer, isShown: boolean) => void;
  readonly signal: AbortSignal;
  /** Whether a person talks with the agent. @default false */
  readonly isChat?: boolean;
  /** Stops the run like Ctrl-C. */
  readonly interrupt: () => void;
}

/** The parts of one run. */
interface Run {
  readonly file: string;
  readonly agent: Agent<unknown>;
  readonly params: unknown;
  readonly adapter: ModelAdapter;
  /** Errors of the agent's code that are not shown yet. */
  readonly errors: unknown[];
  readonly workspace: RunWorkspace;
  readonly session: Session;
  /** The section with the files, which the run created. */
  readonly sections: readonly AgentWorkspace[];
  /** The dispatcher of the session. */
  readonly dispatcher: InProcessDispatcher;
  readonly recorded: RecordedRun;
  readonly settings: ModelSettings | undefined;
  readonly patchFile: string | undefined;
  /** How the evaluation continues an earlier one. */
  readonly continued: Pick<EvaluateOptions, "run" | "onAgentChanged" | "renewLimits"> | undefined;
  /** What has already happened, so that a later error does not claim otherwise. */
  readonly outcome: { isApplied: boolean };
  readonly limits: {
    readonly budget: ReturnType<typeof readBudget>;
    readonly deadline: ReturnType<typeof readDeadline>;
  };
}

/**
 * Runs the agent of a file on a directory, shows its progress on stderr, and reports the result.
 */
export async function runAgent(io: Io, file: string, given: RunAgentOptions): Promise<RunReport> {
  // Validate everything before copying files.
  const agent = await loadAgent(file, io.cwd);
  const resumed = await findResumed(io, given);
  const options = resumed === undefined ? given : { ...given, model: resumed.model };
  const params = resumed?.params ?? (await readParams(agent.params, options.param));
  const limits = { budget: readBudget(options.budget), deadline: readDeadline(options.deadline) };
  const prices = pricesOf(readPrices(options.price), options.model);
  const settings = readSettings(agent.settings, options);
  requireCountable(limits.budget, prices, options.model);
  const chosenDirectory = options.log === undefined ? undefined : newLogDirectory(io, options.log);
  const errors: unknown[] = [];
  const model = await openModel(options.model, {
    ...{ io, agent: resumed?.remaining(agent) ?? agent, prices },
    record: options.record !== undefined,
    // After Ctrl-C, every call fails with the interruption.
    onError: (error) => options.signal.aborted || errors.push(error),
  });
  const recordFile = await placeForFile(io, "--record", options.record);
  const patchFile = await placeForFile(io, "--patch", options.patch);

  const directory = resolve(io.cwd, options.workspace);
  const storeUrl = resumed?.stored?.url ?? options.store;
  const backend = storeUrl === undefined ? options.backend : "store";
  const opening = {
    ...{ directory, rev: options.rev, base: options.base, signal: options.signal },
    image: options.image ?? io.env["WINK_SANDBOX_IMAGE"],
    filter: filterOf(options),
    keepsChanges: options.continue === true,
    isResumed: resumed?.isFork === false,
  };
  await using workspace = await openRunWorkspace(
    io,
    backend,
    opening,
    storeUrl,
    resumed?.stored,
  ).catch((error: unknown) => {
    if (options.signal.aborted)
      remark(io, `Nothing was written to ${directory}, and nothing was run.`);
    throw error;
  });
  announceRun(io, { file: basename(file), agent, model: options.model, workspace });
  const { createDirectory, ...place } = workspace.recording;
  const runDirectory =
    workspace.runName ??
    (await resumed?.directory(createDirectory)) ??
    chosenDirectory ??
    createDirectory();
  const dispatcher = new InProcessDispatcher();
  const sections: AgentWorkspace[] = [];
  // A server that does not answer is tried for half a minute.
  if (storeUrl !== undefined) io.status.show("waiting for the store");
  const about = {
    // Parameters come from the command line, as texts or as JSON.
    ...{ agent: basename(file), params: params as JsonValue, model: options.model },
    ...{ session: { dispatcher }, transcript: options.transcript ?? true },
  };
  const inDirectory = () =>
    RecordedRun.open(runDirectory, {
      ...{ ...place, ...about, restoreFiles: resumed !== undefined },
      async filesystem(session: Session) {
        // The section of a continued run is created later, because it must see the files after they are restored.
        if (resumed !== undefined && workspace.openFilesystem !== undefined)
          return await workspace.openFilesystem();
        const section = await workspace.createSection(session);
        sections.push(section);
        return requireSnapshots(section.filesystem);
      },
    });
  await using recorded = await (workspace.openRun?.(about) ?? inDirectory());
  const { session } = recorded;
  io.status.show("preparing the agent");
  if (sections.length === 0)
    sections.push(await workspace.createSection(session, recorded.filesystem));
  const outcome = { isApplied: false };
  try {
    const run = {
      ...{ file: basename(file), agent, params, adapter: model.adapter, errors, workspace },
      ...{ session, dispatcher, limits, settings, outcome, patchFile, sections },
      continued: resumed && { run: recorded, ...resumed.evaluation },
      recorded,
    };
    return {
      agent: basename(file),
      model: options.model,
      workspace: workspace.directory,
      backend: workspace.backend,
      log: runDirectory,
      ...(await evaluate(io, run, options)),
    };
  } catch (error) {
    await sayWhereThingsAre(io, workspace, { ...outcome, runDirectory });
    throw explainParked(error, { run: runDirectory, file, isStored: storeUrl !== undefined });
  } finally {
    if (recordFile !== undefined) await keepRecording(runDirectory, recordFile);
  }
}

type Evaluated = Omit<RunReport, "agent" | "model" | "workspace" | "backend" | "log">;

/** Runs the prompt and settles its changes. */
async function evaluate(io: Io, run: Run, options: RunAgentOptions): Promise<Evaluated> {
  const { adapter, errors, workspace, session, limits, settings, outcome, patchFile } = run;
  const { signal, maxTurns, debug, onAnswer, mayAsk } = options;
  const { status } = io;
  await using prompt = await createPrompt(io, run, options);
  status.clear();
  // A typed answer is JSON, so it is shown only when it is complete.
  const streams = io.isTerminal && prompt.render({ session }).output === undefined;
  let { budget } = limits;
  // Each message of a chat has the whole budget.
  const nextBudget = () => {
    budget = limits.budget && new Budget(limits.budget.limits);
    return budget;
  };
  const view = new LiveView({
    ...{ output: io.stderr, colors: stderrColorsFor(io), columns: io.columns },
    ...{ session, budget: () => budget, errors, debug },
    status: io.isTerminal ? status : undefined,
    streams,
  });
  const common = { ...limits, settings, onEvent: view.onEvent, maxTurns };
  const responding = options.isChat
    ? startChat(
        io,
        { adapter, prompt, run: run.recorded },
        { ...common, nextBudget },
        (interrupt) => approveCalls(io, interrupt),
      )
    : evaluateWithStops(io, {
        ...{ adapter, prompt, run: run.recorded, signal },
        options: common,
        start: (given) => adapter.evaluate(prompt, { ...given, session, ...run.continued }),
        // Without a terminal, calls that need an approval are denied.
        onApproval: mayAsk ? (stop) => approveCalls(io, stop) : undefined,
        interrupt: options.interrupt,
      });
  const response = await responding.finally(() => status.clear());
  status.show("comparing the workspace with the directory");
  const changes = await workspace.changes();
  // Stop here after Ctrl-C, because the next step applies or saves the changes.
  signal.throwIfAborted();
  const answer = { output: response.output ?? response.text, changes: changes.files };
  onAnswer(answer, streams);
  const apply = options.apply === true || options.yes === true;
  const settled = await settleChanges(io, workspace, { changes, apply, patchFile, mayAsk });
  outcome.isApplied = settled.kept === "applied";
  return {
    ...answer,
    finishReason: response.finishReason,
    usage: response.usage,
    ...settled,
    patchFile: patchFile ?? null,
    leftOut: workspace.leftOut?.(),
  };
}

function requireSnapshots(filesystem: Filesystem): SnapshotableFilesystem {
  if (isSnapshotable(filesystem)) return filesystem;
  throw new TypeError("The files of a run have snapshots.");
}

/** Options that were not given do not change what an earlier run had chosen. */
function filterOf({ include, exclude, includeSecrets, includeIgnored }: RunOptions) {
  return { include, exclude, includeSecrets, includeIgnored };
}
