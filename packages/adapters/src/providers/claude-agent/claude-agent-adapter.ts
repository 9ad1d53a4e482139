import type { BoundPrompt, EvaluateOptions, PromptResponse } from "@wink/prompt";
import { requireOptions } from "../../runtime/context/require-options.js";
import {
  type EvaluateRunOptions,
  MODEL_ADAPTER_OPTIONS,
  ModelAdapter,
} from "../../runtime/loop/model-adapter.js";
import { ClaudeAgentModel } from "./claude-agent-model.js";
import { CLAUDE_AGENT_OPTIONS, type ClaudeAgentAdapterOptions } from "./claude-agent-options.js";

/**
 * Runs prompts with Claude Code as the model's harness, through the Claude Agent SDK. Requires the package
 * `@anthropic-ai/claude-agent-sdk`.
 *
 * Claude Code sends the requests and manages the context. Its own tools are off: the model sees only the tools of the
 * prompt, and WINK's loop runs them. So policies, feedback, budgets, events and transactions are those of every other
 * adapter.
 */
export class ClaudeAgentAdapter extends ModelAdapter {
  readonly #model: ClaudeAgentModel;
  #running = 0;

  constructor(options: ClaudeAgentAdapterOptions = {}) {
    const known = [...MODEL_ADAPTER_OPTIONS, ...CLAUDE_AGENT_OPTIONS];
    requireOptions("ClaudeAgentAdapter", options, known);
    const model = new ClaudeAgentModel(options);
    super(model, options);
    this.#model = model;
  }

  override async evaluate<Output>(
    prompt: BoundPrompt<Output>,
    options: EvaluateOptions | EvaluateRunOptions,
  ): Promise<PromptResponse<Output>> {
    this.#running++;
    try {
      return await super.evaluate(prompt, options);
    } finally {
      this.#running--;
      // A run that ended at a limit leaves its process waiting for the result of a call.
      if (this.#running === 0) this.#model.close();
    }
  }
}
