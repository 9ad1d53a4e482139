import { mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { Session } from "@wink/session";
import { SessionLog } from "@wink/session/jsonl";
import { loadAgent } from "../agent/load-agent.js";
import { readParams } from "../agent/read-params.js";
import { CliError } from "../cli-error.js";
import type { Io } from "../io.js";
import { type OpenedModel, openModel } from "../model/open-model.js";
import { remark, stderrColorsFor } from "../print.js";
import { count } from "../view/amounts.js";
import { LiveView } from "../view/live-view.js";
import { announceRun } from "./announce-run.js";
import { openRunWorkspace } from "./open-run-workspace.js";
import { readBudget, readDeadline } from "./read-limits.js";
import type { RunAnswer, RunReport } from "./run-report.js";
import type { Backend, RunWorkspace } from "./run-workspace.js";
import { settleChanges } from "./settle-changes.js";

/** The options of `wink run`, as they were typed. */
export interface RunOptions {
  readonly workspace: string;
  readonly model: string;
  readonly param: readonly string[];
  readonly backend: Backend;
  readonly image?: string;
  readonly budget?: string;
  readonly deadline?: string;
  readonly maxTurns?: number;
  readonly log?: string;
  readonly record?: string;
  readonly continue?: true;
  readonly apply?: true;
  readonly patch?: string;
  readonly yes?: true;
}

export interface RunAgentOptions {
  /** Whether there is a person to ask at the end. */
  readonly mayAsk: boolean;
  /** Hears what came of it before that. */
  readonly onAnswer: (answer: RunAnswer) => void;
  readonly signal: AbortSignal;
}

/** Runs the agent of a file on a directory, shows it live on stderr, and says what came of it. */
export async function runAgent(
  io: Io,
  file: string,
  options: RunOptions & RunAgentOptions,
): Promise<RunReport> {
  const { signal } = options;
  const agent = await loadAgent(file, io.cwd);
  const params = await readParams(agent.params, options.param);
  const limits = { budget: readBudget(options.budget), deadline: readDeadline(options.deadline) };
  const model = await openModel(options.model, { io, agent, record: options.record !== undefined });

  await using workspace = await openRunWorkspace(io, options.backend, {
    directory: resolve(io.cwd, options.workspace),
    image: options.image ?? io.env["WINK_SANDBOX_IMAGE"],
    goesOn: options.continue === true,
    signal,
  });
  announceRun(io, { file: basename(file), agent, model: options.model, workspace });
  const logFile = options.log === undefined ? workspace.logFile : resolve(io.cwd, options.log);
  await using log = logFile === undefined ? undefined : await SessionLog.open(logFile);
  const session = log?.session ?? new Session();

  try {
    const section = await workspace.createSection(session);
    await using prompt = await agent.prompt({ session, workspace: section, params });
    const { onEvent } = new LiveView({
      output: io.stderr,
      colors: stderrColorsFor(io),
      columns: io.columns,
      session,
      budget: limits.budget,
    });
    const response = await model.adapter.evaluate(prompt, {
      ...limits,
      session,
      signal,
      onEvent,
      maxTurns: options.maxTurns,
    });
    const changes = await workspace.changes();
    const answer = { output: response.output ?? response.text, changes: changes.files };
    options.onAnswer(answer);
    const kept = await settleChanges(io, workspace, {
      changes,
      apply: options.apply === true || options.yes === true,
      patchFile: options.patch,
      mayAsk: options.mayAsk,
    });
    return {
      agent: basename(file),
      model: options.model,
      workspace: workspace.directory,
      backend: workspace.backend,
      finishReason: response.finishReason,
      ...answer,
      usage: response.usage,
      kept,
      patchFile: options.patch === undefined ? null : resolve(io.cwd, options.patch),
      log: logFile ?? null,
    };
  } catch (error) {
    await sayWhereThingsAre(io, workspace, logFile);
    throw error;
  } finally {
    await keepRecording(io, model, options.record);
  }
}

/** After an error or Ctrl-C. Whatever call was running is undone by now. */
async function sayWhereThingsAre(
  io: Io,
  workspace: RunWorkspace,
  logFile: string | undefined,
): Promise<void> {
  remark(io);
  remark(io, `Nothing was written to ${workspace.directory}.`);
  // What is not kept is gone with the prompt that was closed before this.
  const kept = workspace.isKept ? (await workspace.changes()).files.length : 0;
  if (kept > 0) {
    const what = `The workspace keeps ${count(kept, "change")}`;
    remark(io, `${what}: wink diff shows them, wink apply brings them over.`);
  }
  if (logFile !== undefined) remark(io, `The log of the run: ${logFile}`);
}

async function keepRecording(
  io: Io,
  { recording }: OpenedModel,
  file: string | undefined,
): Promise<void> {
  if (file === undefined) return;
  if (recording === undefined) throw new CliError("This model cannot be recorded.");
  const path = resolve(io.cwd, file);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${JSON.stringify(recording())}\n`, { mode: 0o600 });
}
