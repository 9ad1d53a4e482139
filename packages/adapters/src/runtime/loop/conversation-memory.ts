import type { EvaluateOptions } from "@wink/prompt";
import type { Session } from "@wink/session";
import { resourceOf } from "../transaction/call-resource.js";
import type { ContextState } from "./context-state.js";
import type { ModelMessage } from "./model-client.js";

/** The conversation of the last evaluation on a session. */
export interface ConversationMemory {
  readonly messages: readonly ModelMessage[];
  readonly context: ContextState;
}

export function conversationOn(session: Session): ConversationMemory | undefined {
  // Only the loop and restored runs set it.
  return resourceOf(session).conversation as ConversationMemory | undefined;
}

/** The decisions about the context that still count, because the new conversation continues the last one. */
export function inheritedContext({
  session,
  messages = [],
}: Pick<EvaluateOptions, "session" | "messages">): ContextState | undefined {
  const memory = conversationOn(session);
  if (memory === undefined || memory.messages.length === 0) return undefined;
  const isContinued = memory.messages.every((message, at) => messages[at] === message);
  return isContinued ? memory.context : undefined;
}

/** The conversation without a turn whose calls were not answered, which providers refuse. */
export function endedMessages(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const last = messages.findLastIndex((message) => message.role === "assistant");
  const turn = messages[last];
  const calls = turn?.role === "assistant" ? turn.toolCalls.length : 0;
  const answers = messages.slice(last + 1).filter(({ role }) => role === "tool").length;
  return answers < calls ? messages.slice(0, last) : [...messages];
}
