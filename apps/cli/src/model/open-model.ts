import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Agent, ModelAdapter, ModelClient, ModelPrices } from "@wink/adapters";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import { MODEL_NAMES } from "./model-names.js";
import { accessTo } from "./provider-access.js";

export interface OpenModelOptions {
  readonly io: Io;
  /** The scripted model uses the agent's script. */
  readonly agent: Pick<Agent, "script">;
  /** Whether the run is recorded, which only a real model allows. @default false */
  readonly record?: boolean | undefined;
  /** The price of the model. @default not known */
  readonly prices?: ModelPrices | undefined;
  /** Receives errors of the agent's code. @default they are not shown */
  readonly onError?: ((error: unknown) => void) | undefined;
}

export interface OpenedModel {
  readonly adapter: ModelAdapter;
}

/** The values of `--model` that have a name after a colon, such as `openai:<model>`. */
const OPENERS: Readonly<
  Record<string, (rest: string, options: OpenModelOptions) => Promise<OpenedModel>>
> = {
  openai: async (model, options) => {
    const access = accessTo("openai", options.io);
    const { OpenAIModel } = await import("@wink/adapters/openai");
    return await opened(new OpenAIModel({ ...access, model }), options);
  },
  "openai-chat": async (model, options) => {
    const access = accessTo("openai", options.io);
    const { OpenAIModel } = await import("@wink/adapters/openai");
    return await opened(new OpenAIModel({ ...access, model, api: "chat" }), options);
  },
  anthropic: async (model, options) => {
    const access = accessTo("anthropic", options.io);
    const { AnthropicModel } = await import("@wink/adapters/anthropic");
    return await opened(new AnthropicModel({ ...access, model }), options);
  },
  "ai-sdk": async (name, options) => {
    const { openAiSdkModel } = await import("./open-ai-sdk-model.js");
    return await opened(await openAiSdkModel(name, options.io.cwd), options);
  },
  replay: openReplay,
};

/** Opens the model for `--model`. Throws before anything is copied if the model is not usable. */
export async function openModel(name: string, options: OpenModelOptions): Promise<OpenedModel> {
  const [, kind = "", rest = ""] = /^([^:]*):(.+)$/.exec(name) ?? [];
  const open = name === "scripted" ? openScripted : Object.hasOwn(OPENERS, kind) && OPENERS[kind];
  if (open) return await open(rest, options);
  throw usage(`Unknown model '${name}'.`, `--model takes ${MODEL_NAMES}.`);
}

async function opened(
  client: ModelClient,
  { prices, onError }: OpenModelOptions,
): Promise<OpenedModel> {
  const { ModelAdapter } = await import("@wink/adapters");
  return { adapter: new ModelAdapter(client, { prices, onError }) };
}

async function openScripted(
  _: string,
  { agent, record, onError }: OpenModelOptions,
): Promise<OpenedModel> {
  if (agent.script === undefined)
    throw usage(
      "This agent has no script, which the scripted model needs.",
      `Give it a \`script\`, or choose another model: --model takes ${MODEL_NAMES}.`,
    );
  if (record) throw notRecorded("The scripted model always gives the same answers");
  const { ScriptedAdapter } = await import("@wink/adapters/scripted");
  return { adapter: new ScriptedAdapter({ turns: agent.script, onError }) };
}

async function openReplay(
  file: string,
  { io, record, onError }: OpenModelOptions,
): Promise<OpenedModel> {
  if (record) throw notRecorded("A replayed run is a recorded one");
  const { ReplayAdapter } = await import("@wink/adapters/replay");
  const { readCassette } = await import("@wink/adapters/run");
  const path = resolve(io.cwd, file);
  if (!existsSync(path))
    throw usage(`Recording ${file} does not exist.`, "`wink run --record <file>` makes one.");
  const adapter = new ReplayAdapter({ cassette: await readCassette(path), onError });
  return { adapter };
}

function notRecorded(reason: string): CliError {
  return usage(`${reason}, so there is nothing to record.`, "Use --record with a real model.");
}

function usage(message: string, hint: string): CliError {
  return new CliError(message, { exitCode: EXIT_CODES.usage, hint });
}
