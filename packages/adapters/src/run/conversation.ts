import type {
  BoundPrompt,
  ConversationMessage,
  EvaluateOptions,
  HistoryMessage,
  PromptResponse,
  UserMessage,
} from "@wink/prompt";
import type { Session } from "@wink/session";
import {
  invalid,
  requireMethod,
  requireOptions,
  requireSession,
} from "../runtime/context/require-options.js";
import { EMPTY_CONTEXT } from "../runtime/loop/context-state.js";
import { continuationOf } from "../runtime/loop/continued-run.js";
import {
  type ConversationMemory,
  conversationOn,
  endedMessages,
} from "../runtime/loop/conversation-memory.js";
import type { ModelAdapter } from "../runtime/loop/model-adapter.js";
import type { ModelMessage } from "../runtime/loop/model-client.js";
import { requirePrompt } from "../runtime/loop/require-prompt.js";
import { resourceOf } from "../runtime/transaction/call-resource.js";
import type { Run } from "./run.js";

export interface ConversationOptions<Output> {
  readonly adapter: ModelAdapter;
  readonly prompt: BoundPrompt<Output>;
  /** A run, whose transcript has the conversation: it survives the process, and a fork of the run continues it. @default none */
  readonly run?: Run | undefined;
  /** The session of a conversation without a run. @default the run's */
  readonly session?: Session | undefined;
}

/** Options of one message, as for `evaluate`. */
export type SendOptions = Omit<EvaluateOptions, "session" | "run" | "transcript" | "messages">;

/** A conversation with an agent: each message is an evaluation that continues the ones before it. */
export class Conversation<Output = undefined> {
  readonly #options: ConversationOptions<Output>;
  readonly #session: Session;

  /** Continues the conversation of the run, or of the session, if it has one. */
  static async open<Output>(options: ConversationOptions<Output>): Promise<Conversation<Output>> {
    requireOptions("Conversation.open", options, ["adapter", "prompt", "run", "session"]);
    requireMethod("adapter", options.adapter, { name: "evaluate", expected: "an adapter" });
    requirePrompt("Conversation.open", options.prompt);
    const session = options.run === undefined ? options.session : options.run?.session;
    requireSession("Conversation.open", session);
    if (options.run !== undefined && conversationOn(options.run.session) === undefined)
      resourceOf(options.run.session).conversation = await restored(options.run);
    // Checked above.
    return new Conversation(options, session as Session);
  }

  private constructor(options: ConversationOptions<Output>, session: Session) {
    if (session === undefined) throw invalid("Conversation", "use Conversation.open().");
    this.#options = options;
    this.#session = session;
  }

  /** The whole conversation so far. Pass it to `evaluate` to continue it elsewhere. */
  get messages(): readonly HistoryMessage[] {
    return conversationOn(this.#session)?.messages ?? [];
  }

  /** Sends a message and resolves to the model's answer. If it is aborted, the finished turns stay. */
  send(message: string | UserMessage, options: SendOptions = {}): Promise<PromptResponse<Output>> {
    const { adapter, prompt } = this.#options;
    const messages: readonly ConversationMessage[] = [...this.messages, message];
    return adapter.evaluate(prompt, { ...options, session: this.#session, messages });
  }
}

/** The conversation that the run's transcript has. */
async function restored(run: Run): Promise<ConversationMemory | undefined> {
  const { from } = (await continuationOf(run)) ?? {};
  if (from === undefined) return undefined;
  const { open, context = EMPTY_CONTEXT } = from;
  const messages: ModelMessage[] = [...from.messages];
  if (open !== undefined) {
    const { stopReason: _, ...answer } = open.answer;
    const answers = answer.toolCalls.flatMap(({ toolCallId: id }) => {
      // A person who stopped the turn continues with another message, so no call is made again.
      return open.answers.get(id) ?? open.stopped.get(id) ?? [];
    });
    messages.push({ role: "assistant", ...answer }, ...answers);
  }
  return { messages: endedMessages(messages), context };
}
