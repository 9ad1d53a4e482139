import { describeKind } from "@wink/filesystem/internal";
import type { BoundPrompt } from "@wink/prompt";
import type { AgentContext, AgentWorkspace } from "../agent/agent.js";
import { hasMethod, invalid } from "../runtime/context/require-options.js";
import type { OpenedRun } from "./open-run.js";

/** Creates the prompt of a run's agent, with the parameters of the run. */
export async function createPrompt<Output>(opened: OpenedRun): Promise<BoundPrompt<Output>> {
  const { agent, section, session, filesystem, recording } = opened;
  const workspace = await section?.(session, filesystem);
  // The caller of Run.open gave parameters that fit its agent.
  const params = (recording.header.params ?? {}) as never;
  const prompt: unknown = await agent?.prompt(new Context(session, workspace, params));
  if (hasMethod(prompt, "render") && hasMethod(prompt, "open"))
    return prompt as BoundPrompt<Output>;
  throw invalid("agent", `prompt() returned ${describeKind(prompt)}. Return a bound Prompt.`);
}

class Context implements AgentContext<never> {
  readonly session: AgentContext["session"];
  readonly params: never;
  readonly #workspace: AgentWorkspace | undefined;

  constructor(
    session: AgentContext["session"],
    workspace: AgentWorkspace | undefined,
    params: never,
  ) {
    this.session = session;
    this.params = params;
    this.#workspace = workspace;
  }

  get workspace(): AgentWorkspace {
    if (this.#workspace !== undefined) return this.#workspace;
    throw invalid("Run.open", "the agent uses a workspace section. Pass section.");
  }
}
