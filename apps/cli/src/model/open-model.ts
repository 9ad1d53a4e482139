import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Cassette } from "@wink/adapters/replay";
import type { ProviderAdapter } from "@wink/prompt";
import type { Agent } from "../agent/agent.js";
import { CliError } from "../cli-error.js";
import { EXIT_CODES } from "../exit-codes.js";
import type { Io } from "../io.js";

export interface OpenModelOptions {
  readonly io: Io;
  /** Whose script the scripted model reads. */
  readonly agent: Pick<Agent, "script">;
  /** Whether what is asked and said is written down. @default false */
  readonly record?: boolean | undefined;
}

export interface OpenedModel {
  readonly adapter: ProviderAdapter;
  /** What was recorded so far; `undefined` when nothing is. */
  readonly recording: (() => Cassette) | undefined;
}

const KINDS = "scripted, openai:<model>, anthropic:<model> or replay:<file>";

/** The model that `--model` names. */
export async function openModel(name: string, options: OpenModelOptions): Promise<OpenedModel> {
  const at = name.indexOf(":");
  const kind = at < 0 ? name : name.slice(0, at);
  const rest = at < 0 ? "" : name.slice(at + 1);
  if (kind === "scripted" && at < 0) return await openScripted(options);
  if (rest === "" || !(kind in OPENERS))
    throw new CliError(`There is no model '${name}'.`, {
      exitCode: EXIT_CODES.usage,
      hint: `--model takes ${KINDS}.`,
    });
  // Checked one line above.
  return await OPENERS[kind as keyof typeof OPENERS](rest, options);
}

const OPENERS = {
  replay: openReplay,
  openai: notYet,
  anthropic: notYet,
} as const;

async function openScripted({ agent }: OpenModelOptions): Promise<OpenedModel> {
  const { ScriptedAdapter } = await import("@wink/adapters/scripted");
  if (agent.script === undefined)
    throw new CliError("This agent has no script, so the scripted model has nothing to say.", {
      exitCode: EXIT_CODES.usage,
      hint: `Give it a \`script\`, or choose another model: --model takes ${KINDS}.`,
    });
  return { adapter: new ScriptedAdapter({ turns: agent.script }), recording: undefined };
}

async function openReplay(file: string, { io }: OpenModelOptions): Promise<OpenedModel> {
  const { parseCassette, ReplayAdapter } = await import("@wink/adapters/replay");
  const json = await readFile(resolve(io.cwd, file), "utf8").catch((cause: unknown) => {
    throw new CliError(`There is no recorded run ${file}.`, {
      exitCode: EXIT_CODES.usage,
      hint: "wink run --record <file> makes one.",
      cause,
    });
  });
  return { adapter: new ReplayAdapter({ cassette: parseCassette(json) }), recording: undefined };
}

async function notYet(): Promise<OpenedModel> {
  throw new CliError("not yet");
}
