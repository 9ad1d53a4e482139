import type { ScriptedAdapterOptions } from "@wink/adapters/scripted";
import type { BoundPrompt, MarkdownSection, Schema, WorkspaceSection } from "@wink/prompt";
import type { Session } from "@wink/session";

/**
 * The files of the run and the tools to work on them. `wink run` creates it for its `--backend`.
 */
export type AgentWorkspace = MarkdownSection<"workspace"> & WorkspaceSection;

/** What `wink run` passes to an agent. */
export interface AgentContext<Params = Readonly<Record<string, string>>> {
  readonly session: Session;
  /** Add it to the prompt's sections. */
  readonly workspace: AgentWorkspace;
  /** The validated values of `--param`. */
  readonly params: Params;
}

/** An agent that `wink run` can run. */
export interface Agent<Params = Readonly<Record<string, string>>, Output = unknown> {
  /** One sentence, shown at the start of the run. @default none */
  readonly description?: string | undefined;
  /**
   * The schema for `--param name=value`. A value that is valid only as JSON, such as a number, is
   * parsed as JSON. @default any strings
   */
  readonly params?: Schema<unknown, Params> | undefined;
  /** Creates the prompt with every parameter bound. Called once per run. */
  prompt(context: AgentContext<Params>): BoundPrompt<Output> | Promise<BoundPrompt<Output>>;
  /** The turns of the scripted model, for offline and repeatable runs. @default none */
  readonly script?: ScriptedAdapterOptions["turns"] | undefined;
}

/** Defines an agent. Export it as `agent` from a file, and run that file with `wink run`. */
export function defineAgent<Params = Readonly<Record<string, string>>, Output = unknown>(
  agent: Agent<Params, Output>,
): Agent<Params, Output> {
  return Object.freeze(agent);
}
