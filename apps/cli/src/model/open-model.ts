import type { ProviderAdapter } from "@wink/prompt";
import type { Agent } from "../agent/agent.js";
import { CliError } from "../cli-error.js";
import { EXIT_CODES } from "../exit-codes.js";
import type { Io } from "../io.js";

export interface OpenModelOptions {
  readonly io: Io;
  /** Whose script the scripted model reads. */
  readonly agent: Pick<Agent, "script">;
}

/** The model that `--model` names. */
export async function openModel(
  name: string,
  { agent }: OpenModelOptions,
): Promise<ProviderAdapter> {
  if (name === "scripted") {
    const { ScriptedAdapter } = await import("@wink/adapters/scripted");
    if (agent.script === undefined)
      throw new CliError("This agent has no script, so the scripted model has nothing to say.", {
        exitCode: EXIT_CODES.usage,
        hint: "Add `script` to the agent, or choose a model: --model openai:<model> or anthropic:<model>.",
      });
    return new ScriptedAdapter({ turns: agent.script });
  }
  throw new CliError(`There is no model '${name}'.`, { exitCode: EXIT_CODES.usage });
}
