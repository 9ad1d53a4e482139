import { isModelError, isRunError } from "@wink/adapters";
import type { Conversation, SendOptions } from "@wink/adapters/run";
import type { Budget, PromptResponse } from "@wink/prompt";
import { askText } from "../terminal/ask.js";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import { remark, stderrColorsFor } from "../terminal/print.js";
import { safeText } from "../terminal/terminal-text.js";
import { sumUsage } from "./sum-usage.js";

const NOTHING: PromptResponse = Object.freeze({
  ...{ text: "", output: undefined, finishReason: "completed" },
  usage: Object.freeze({
    ...{ inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 },
    ...{ costUsd: undefined, toolCalls: 0, turns: 0 },
  }),
});

/** How much of the last answer is shown when a conversation is continued. */
const MAX_SHOWN_CHARACTERS = 2_000;

export interface ChatOptions extends Omit<SendOptions, "signal" | "onApproval" | "budget"> {
  /** Returns the budget of the next message. */
  readonly nextBudget: () => Budget | undefined;
}

/**
 * Sends each typed line to the agent, until an empty line. Esc or Ctrl-C stops the model's turn and keeps the conversation; at
 * the question it ends the chat. If the model cannot answer, the conversation stays too. Resolves to the last response, with
 * the usage of all messages.
 */
export async function chatLoop(
  io: Io,
  conversation: Conversation<unknown>,
  { nextBudget, ...options }: ChatOptions,
  approve: (interrupt: () => void) => SendOptions["onApproval"],
): Promise<PromptResponse> {
  const { dim, cyan } = stderrColorsFor(io);
  remark(io, dim("An empty line or Ctrl-D ends the chat. Esc or Ctrl-C stops a turn."));
  const heard = conversation.messages.findLast(({ role }) => role === "assistant")?.text ?? "";
  if (heard !== "") remark(io, dim(safeText(heard.slice(0, MAX_SHOWN_CHARACTERS))));
  let last = NOTHING;
  for (;;) {
    const text = (await askText(io, cyan("you>"), io.keys.takeTyped()))?.trim();
    if (text === undefined || text === "") return last;
    const turn = new AbortController();
    const stop = () => turn.abort(new CliError("Stopped.", { exitCode: EXIT_CODES.interrupted }));
    const release = io.onInterrupt(stop);
    const releaseKeys = io.keys.listen(stop);
    try {
      const { signal } = turn;
      const given = { ...options, budget: nextBudget(), signal, onApproval: approve(stop) };
      const response = await conversation.send(text, given);
      last = { ...response, usage: sumUsage(last.usage, response.usage) };
      io.status.clear();
      // A typed answer was not shown while it arrived.
      if (response.output !== undefined)
        remark(io, safeText(JSON.stringify(response.output, null, 2)));
      remark(io, endOf(response, dim));
    } catch (error) {
      io.status.clear();
      if (turn.signal.aborted) remark(io, dim("\nStopped. The conversation stays as it is."));
      else if (isModelError(error) || isRunError(error))
        remark(io, `${safeText(error.message)}\n${dim("The conversation stays as it is.")}`);
      else throw error;
    } finally {
      release();
      releaseKeys();
    }
  }
}

function endOf({ finishReason }: PromptResponse, dim: (text: string) => string): string {
  return finishReason === "completed" ? "" : dim(`The answer ended early: ${finishReason}.`);
}
