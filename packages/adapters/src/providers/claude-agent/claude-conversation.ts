import type { Anthropic } from "@anthropic-ai/sdk";
import { ModelError } from "../../error/model-error.js";
import { EventChannel } from "../../runtime/loop/event-channel.js";
import type {
  AskOptions,
  ModelMessage,
  ModelRequest,
  ModelTurn,
} from "../../runtime/loop/model-client.js";
import { readMessagesTurn } from "../anthropic/messages-turn.js";
import { conversationOf, instructionsOf } from "../conversation.js";
import { CallResults, SERVER, TOOL_PREFIX } from "./call-results.js";
import type { ClaudeAgentModelOptions, ClaudeQuery } from "./claude-agent-options.js";

type RawEvent = Anthropic.RawMessageStreamEvent;

/** Claude Code's own variables: all tools are shown, and long results are not cut. */
const ENV = { ENABLE_TOOL_SEARCH: "false", MAX_MCP_OUTPUT_TOKENS: "1000000" };

/** One process of Claude Code and its conversation. */
export class ClaudeConversation {
  readonly #input = new EventChannel<unknown>();
  readonly #abort = new AbortController();
  readonly #results: CallResults;
  readonly #requests = new EventChannel<EventChannel<RawEvent>>();
  readonly #nextRequest: AsyncIterator<EventChannel<RawEvent>>;
  #current: EventChannel<RawEvent> | undefined;
  #instructions: string;

  private constructor(request: ModelRequest) {
    this.#results = new CallResults(request.tools);
    this.#nextRequest = this.#requests[Symbol.asyncIterator]();
    this.#instructions = instructionsOf(request, "instructions");
  }

  static start(
    query: ClaudeQuery,
    { model, env = {}, extraOptions = {} }: ClaudeAgentModelOptions,
    request: ModelRequest,
  ): ClaudeConversation {
    const conversation = new ClaudeConversation(request);
    const running = query({
      prompt: conversation.#input,
      options: {
        ...extraOptions,
        ...(model === undefined ? {} : { model }),
        env: { ...process.env, ...ENV, ...env },
        systemPrompt: conversation.#instructions,
        // Turn off Claude Code's own tools, because they work on the real files.
        tools: [],
        mcpServers: { [SERVER]: conversation.#results.server },
        strictMcpConfig: true,
        allowedTools: [`${TOOL_PREFIX}*`],
        // Claude Code shows the model its working directory, so use one that reveals nothing.
        cwd: "/",
        settingSources: [],
        includePartialMessages: true,
        persistSession: false,
        abortController: conversation.#abort,
      },
    });
    void conversation.#follow(running);
    return conversation;
  }

  /** The next turn. Unless the process is new, the results of the last turn's calls are in the request. */
  async next(request: ModelRequest, options: AskOptions, isKnown: boolean): Promise<ModelTurn> {
    const end = () => this.close();
    options.signal.addEventListener("abort", end, { once: true });
    try {
      if (isKnown) await this.#answer(request);
      else this.#say(openingOf(request));
      const asked = await this.#nextRequest.next();
      options.signal.throwIfAborted();
      if (asked.done) throw new ModelError("SERVER_ERROR", { reason: "Claude Code ended early" });
      const turn = await readMessagesTurn(asked.value, options);
      return { ...turn, toolCalls: turn.toolCalls.map(withoutPrefix) };
    } catch (error) {
      options.signal.throwIfAborted();
      throw error;
    } finally {
      options.signal.removeEventListener("abort", end);
    }
  }

  close(): void {
    this.#input.end();
    this.#abort.abort();
    this.#results.close();
  }

  async #answer(request: ModelRequest): Promise<void> {
    const last = request.messages.findLastIndex(({ role }) => role === "assistant");
    const answers = request.messages.slice(last + 1);
    const instructions = instructionsOf(request, "instructions");
    const notes = answers.flatMap((message) => (message.role === "user" ? [message.text] : []));
    // The system prompt of a running process cannot change.
    if (instructions !== this.#instructions)
      notes.unshift(`Your instructions are now:\n${instructions}`);
    this.#instructions = instructions;
    await this.#results.offer(request.tools);
    const results = answers.filter((message) => message.role === "tool");
    for (const [index, result] of results.entries())
      this.#results.put(result, index === results.length - 1 ? notes : []);
    if (results.length === 0) this.#say(notes.join("\n\n"));
  }

  #say(text: string): void {
    const message = { role: "user", content: text };
    this.#input.push({ type: "user", message, parent_tool_use_id: null, session_id: "" });
  }

  /** Splits the messages of the process into requests. */
  async #follow(running: AsyncIterable<unknown>): Promise<void> {
    try {
      for await (const message of running) this.#take(message as HarnessMessage);
      this.#fail(new ModelError("SERVER_ERROR", { reason: "Claude Code ended early" }));
    } catch (error) {
      this.#fail(new ModelError("SERVER_ERROR", { reason: "Claude Code failed", cause: error }));
    }
  }

  #take({ type, event, parent_tool_use_id: parent, ...message }: HarnessMessage): void {
    if (type === "result" && message.is_error)
      this.#fail(
        new ModelError("SERVER_ERROR", { reason: `Claude Code failed: ${message.subtype}` }),
      );
    if (type !== "stream_event" || event === undefined || parent) return;
    if (event.type === "message_start") {
      this.#current = new EventChannel();
      this.#requests.push(this.#current);
    }
    this.#current?.push(event);
    if (event.type === "message_stop") this.#current?.end();
  }

  #fail(error: Error): void {
    this.#current?.end({ error });
    this.#requests.end({ error });
  }
}

/** The parts of the harness's messages that are used. */
interface HarnessMessage {
  readonly type: string;
  readonly event?: RawEvent;
  readonly parent_tool_use_id?: string | null;
  readonly is_error?: boolean;
  readonly subtype?: string;
}

function withoutPrefix<Call extends { readonly toolName: string }>(call: Call): Call {
  const { toolName } = call;
  if (!toolName.startsWith(TOOL_PREFIX)) return call;
  return { ...call, toolName: toolName.slice(TOOL_PREFIX.length) };
}

/** The first message of a new process, with the conversation so far as text. */
function openingOf(request: ModelRequest): string {
  const messages = conversationOf(request);
  const [first] = messages;
  if (messages.length === 1 && first !== undefined) return first.text;
  const lines = messages.map((message) => `${speakerOf(message)}: ${textOf(message)}`);
  return `Continue this conversation. Do not repeat work that is already done.\n\n${lines.join("\n\n")}`;
}

function speakerOf(message: ModelMessage): string {
  return message.role === "tool" ? `Result of ${message.toolName}` : message.role;
}

function textOf(message: ModelMessage): string {
  if (message.role !== "assistant") return message.text;
  const calls = message.toolCalls.map((call) => `[${call.toolName}(${call.arguments})]`);
  return [message.text, ...calls].join("\n");
}
