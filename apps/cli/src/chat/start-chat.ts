import { Conversation, type ConversationOptions, type SendOptions } from "@wink/adapters/run";
import type { PromptResponse, ProviderAdapter } from "@wink/prompt";
import type { Io } from "../terminal/io.js";
import { chatLoop } from "./chat-loop.js";

type Parts = Omit<ConversationOptions<unknown>, "adapter"> & { readonly adapter: ProviderAdapter };

/** Talks with the agent at the terminal, in the conversation of the run. */
export async function startChat(
  io: Io,
  { adapter, ...parts }: Parts,
  options: Omit<SendOptions, "signal" | "onApproval">,
  approve: (interrupt: () => void) => SendOptions["onApproval"],
): Promise<PromptResponse> {
  // Every model of the command line is a ModelAdapter.
  const given = { ...parts, adapter } as ConversationOptions<unknown>;
  const conversation = await Conversation.open(given);
  io.status.clear();
  return await chatLoop(io, conversation, options, approve);
}
