import { describeKind, findOptionProblem } from "@wink/filesystem/internal";
import type {
  BoundPrompt,
  MarkdownSection,
  ModelSettings,
  Schema,
  WorkspaceSection,
} from "@wink/prompt";
import type { Session } from "@wink/session";
import { invalid } from "../runtime/context/require-options.js";
import { requireSettings } from "../runtime/loop/require-settings.js";
import type { ScriptedAdapterOptions } from "../scripted/scripted-adapter.js";

/**
 * The files of the run and the tools to work on them. `wink run` creates it for its `--backend`.
 */
export type AgentWorkspace = MarkdownSection<"workspace"> & WorkspaceSection;

/** What a run passes to its agent. */
export interface AgentContext<Params = Readonly<Record<string, never>>> {
  readonly session: Session;
  /** Add it to the prompt's sections. */
  readonly workspace: AgentWorkspace;
  /** The validated values of `--param`. */
  readonly params: Params;
}

/** An agent that `wink run`, `Run` and workers can run. */
export interface Agent<Params = Readonly<Record<string, never>>, Output = unknown> {
  /** One sentence, shown at the start of the run. @default none */
  readonly description?: string | undefined;
  /**
   * The schema for `--param name=value`. A value that is valid only as JSON, such as a number, is
   * parsed as JSON. @default no parameters
   */
  readonly params?: Schema<unknown, Params> | undefined;
  /** Creates the prompt with every parameter bound. Called once per run. */
  prompt(context: AgentContext<Params>): BoundPrompt<Output> | Promise<BoundPrompt<Output>>;
  /**
   * The turns of `--model scripted`, for offline and repeatable runs: a list, or a function that is
   * called for each turn with the request and its index. A turn has `text` (an object for a typed
   * output), `calls`, or both. @default none, so the agent needs a real model
   */
  readonly script?: ScriptedAdapterOptions["turns"] | undefined;
  /** Settings of the model, such as its temperature. Options of `wink run` win. @default the model's own */
  readonly settings?: ModelSettings | undefined;
}

/**
 * Defines an agent. Export it as `agent` from a file, and run that file with `wink run`, or give it to `Run.open`.
 * Throws `ARGUMENT_INVALID` for a value that is not an agent.
 */
export function defineAgent<Params = Readonly<Record<string, never>>, Output = unknown>(
  agent: Agent<Params, Output>,
): Agent<Params, Output> {
  const problem = findOptionProblem(agent, FIELDS);
  if (problem !== undefined) throw invalid("defineAgent", problem);
  // The check above ensures that it is an object or undefined.
  const { prompt } = (agent ?? {}) as Partial<Agent>;
  if (typeof prompt !== "function")
    throw invalid("defineAgent", `prompt must be a function, got ${describeKind(prompt)}.`);
  requireSettings("defineAgent: settings", agent.settings);
  return Object.freeze(agent);
}

const FIELDS = [
  ...(["description", "params", "prompt", "script", "settings"] as const),
] satisfies (keyof Agent)[];
