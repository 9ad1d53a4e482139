import type { Conversation, SendOptions } from "@wink/adapters/run";
import type { PromptResponse } from "@wink/prompt";
import { askText } from "../terminal/ask.js";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import { remark, stderrColorsFor } from "../terminal/print.js";
import { safeText } from "../terminal/terminal-text.js";

const NOTHING: PromptResponse = Object.freeze({
  ...{ text: "", output: undefined, finishReason: "completed" },
  usage: Object.freeze({
    ...{ inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 },
    ...{ costUsd: undefined, toolCalls: 0, turns: 0 },
  }),
});

/** How much of the last answer is shown when a conversation is continued. */
const MAX_SHOWN_CHARACTERS = 2_000;

/**
 * Sends each typed line to the agent, until an empty line. Esc or Ctrl-C stops the model's turn and keeps the conversation; at
 * the question it ends the chat. Resolves to the last response.
 */
export async function chatLoop(
  io: Io,
  conversation: Conversation<unknown>,
  options: Omit<SendOptions, "signal" | "onApproval">,
  approve: (interrupt: () => void) => SendOptions["onApproval"],
): Promise<PromptResponse> {
  const { dim, cyan } = stderrColorsFor(io);
  remark(io, dim("An empty line or Ctrl-D ends the chat. Esc or Ctrl-C stops a turn."));
  const heard = conversation.messages.findLast(({ role }) => role === "assistant")?.text ?? "";
  if (heard !== "") remark(io, dim(safeText(heard.slice(0, MAX_SHOWN_CHARACTERS))));
  let last = NOTHING;
  for (;;) {
    const text = (await askText(io, cyan("you>"), ""))?.trim();
    if (text === undefined || text === "") return last;
    const turn = new AbortController();
    const stop = () => turn.abort(new CliError("Stopped.", { exitCode: EXIT_CODES.interrupted }));
    const release = io.onInterrupt(stop);
    const releaseKeys = io.keys.listen(stop);
    try {
      const { signal } = turn;
      last = await conversation.send(text, { ...options, signal, onApproval: approve(stop) });
      io.status.clear();
      remark(io, "");
    } catch (error) {
      if (!turn.signal.aborted) throw error;
      io.status.clear();
      remark(io, dim("\nStopped. The conversation stays as it is."));
    } finally {
      release();
      releaseKeys();
    }
  }
}
