import { Conversation, type ConversationOptions, type SendOptions } from "@wink/adapters/run";
import type { PromptResponse } from "@wink/prompt";
import type { Io } from "../terminal/io.js";
import { type ChatOptions, chatLoop } from "./chat-loop.js";

/** Talks with the agent at the terminal, in the conversation of the run. */
export async function startChat(
  io: Io,
  parts: ConversationOptions<unknown>,
  options: ChatOptions,
  approve: (interrupt: () => void) => SendOptions["onApproval"],
): Promise<PromptResponse> {
  const conversation = await Conversation.open(parts);
  io.status.clear();
  return await chatLoop(io, conversation, options, approve);
}
