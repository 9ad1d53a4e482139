import type { ScriptedAdapterOptions } from "@wink/adapters/scripted";
import type { BoundPrompt, MarkdownSection, Schema, WorkspaceSection } from "@wink/prompt";
import type { Session } from "@wink/session";

/** The files of the run and the tools to work on them, made by `wink run` for its `--backend`. */
export type AgentWorkspace = MarkdownSection<"workspace"> & WorkspaceSection;

/** What an agent is made of when it is run. */
export interface AgentContext<Params = Readonly<Record<string, string>>> {
  readonly session: Session;
  /** To be put among the prompt's sections. */
  readonly workspace: AgentWorkspace;
  /** What `--param` gave, checked. */
  readonly params: Params;
}

/** An agent that `wink run` can run. */
export interface Agent<Params = Readonly<Record<string, string>>, Output = unknown> {
  /** One sentence, shown when it starts. @default none */
  readonly description?: string | undefined;
  /** What `--param name=value` may give. A value that fits only as JSON, such as a number, is read as JSON. @default any texts */
  readonly params?: Schema<unknown, Params> | undefined;
  /** Makes the prompt, with every parameter bound. Called once for a run. */
  prompt(context: AgentContext<Params>): BoundPrompt<Output> | Promise<BoundPrompt<Output>>;
  /** What the scripted model says: makes the agent run offline, the same each time. @default there is no scripted model */
  readonly script?: ScriptedAdapterOptions["turns"] | undefined;
}

/** Declares an agent; export it as `agent` from a file and `wink run` that file. */
export function defineAgent<Params = Readonly<Record<string, string>>, Output = unknown>(
  agent: Agent<Params, Output>,
): Agent<Params, Output> {
  return Object.freeze(agent);
}
