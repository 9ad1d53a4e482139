import { randomUUID } from "node:crypto";
import type {
  AskOptions,
  ModelClient,
  ModelRequest,
  ModelTurn,
} from "../../runtime/loop/model-client.js";
import { loadSdk } from "../load-sdk.js";
import type { ClaudeAgentModelOptions, ClaudeQuery } from "./claude-agent-options.js";
import { ClaudeConversation } from "./claude-conversation.js";

const PACKAGE = "@anthropic-ai/claude-agent-sdk";

/**
 * Claude Code as a model: each request of the harness is one turn. The harness then waits for the results of the turn's
 * calls, which come with the next request.
 */
export class ClaudeAgentModel implements ModelClient {
  readonly name = "claude-agent-sdk";
  readonly provider = "anthropic";
  readonly model: string | undefined;
  readonly #options: ClaudeAgentModelOptions;
  readonly #conversations = new Map<string, ClaudeConversation>();

  constructor(options: ClaudeAgentModelOptions) {
    this.#options = options;
    this.model = options.model;
  }

  async ask(request: ModelRequest, options: AskOptions): Promise<ModelTurn> {
    options.signal.throwIfAborted();
    const known = conversationIdOf(request);
    const running = known === undefined ? undefined : this.#conversations.get(known);
    const id = running === undefined ? randomUUID() : (known ?? randomUUID());
    const conversation =
      running ?? ClaudeConversation.start(await this.#query(), this.#options, request);
    this.#conversations.set(id, conversation);
    try {
      const turn = await conversation.next(request, options, running !== undefined);
      if (turn.toolCalls.length === 0) this.#end(id);
      const providerData = { ...turn.providerData, claudeAgent: { conversation: id } };
      return { ...turn, providerData };
    } catch (error) {
      this.#end(id);
      throw error;
    }
  }

  /** Ends every process. A later request starts a new one with the conversation so far. */
  close(): void {
    for (const id of [...this.#conversations.keys()]) this.#end(id);
  }

  #end(id: string): void {
    this.#conversations.get(id)?.close();
    this.#conversations.delete(id);
  }

  async #query(): Promise<ClaudeQuery> {
    if (this.#options.query !== undefined) return this.#options.query;
    // Not a literal, so that the compiler does not need the package.
    const name: string = PACKAGE;
    const sdk = await loadSdk(PACKAGE, () => import(name) as Promise<{ query: ClaudeQuery }>);
    return sdk.query;
  }
}

function conversationIdOf({ messages }: ModelRequest): string | undefined {
  const last = messages.findLast((message) => message.role === "assistant");
  const data = last?.role === "assistant" ? last.providerData?.["claudeAgent"] : undefined;
  // Written by `ask`.
  return (data as { readonly conversation?: string } | undefined)?.conversation;
}
