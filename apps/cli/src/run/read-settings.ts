import type { ModelSettings } from "@wink/prompt";
import { type Command, InvalidArgumentError, Option } from "commander";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";

const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;

/** The options of a command that set the model, as typed. */
export interface SettingsOptions {
  readonly temperature?: number;
  readonly effort?: NonNullable<ModelSettings["effort"]>;
  readonly maxOutput?: number;
  readonly serviceTier?: string;
  readonly providerOptions?: string;
}

/** Adds the options that set the model. */
export function addSettingsOptions(command: Command): Command {
  return command
    .option("--temperature <number>", "how much the model varies its answers, from 0", temperature)
    .addOption(new Option("--effort <level>", "how much the model thinks").choices(EFFORTS))
    .option("--max-output <tokens>", "the maximum output per turn", wholeNumber)
    .option("--service-tier <name>", "the provider's service tier, such as flex")
    .option("--provider-options <json>", "request fields of each provider");
}

/** The settings of a run: the agent's settings, overridden by the options of the command. */
export function readSettings(
  agent: ModelSettings | undefined,
  { temperature, effort, maxOutput, serviceTier, providerOptions }: SettingsOptions,
): ModelSettings | undefined {
  const given = {
    ...{ temperature, effort, maxOutputTokens: maxOutput, serviceTier },
    providerOptions: readProviderOptions(providerOptions),
  };
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  return set.length === 0 ? agent : { ...agent, ...Object.fromEntries(set) };
}

function readProviderOptions(text: string | undefined): ModelSettings["providerOptions"] {
  if (text === undefined) return undefined;
  const value = parse(text);
  const isTable = (each: unknown) =>
    typeof each === "object" && each !== null && !Array.isArray(each);
  if (!isTable(value) || !Object.values(value as object).every(isTable))
    throw new CliError("--provider-options: expected a JSON object for each provider.", {
      exitCode: EXIT_CODES.usage,
      hint: 'Use fields by provider, such as {"anthropic":{"top_k":40}}.',
    });
  // Checked above.
  return value as ModelSettings["providerOptions"];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function temperature(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It takes a number from 0, such as 0.7.");
}

function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It takes a whole number from 1.");
}
