import type { ModelAdapter } from "@wink/adapters";
import { Conversation, type Run, type SendOptions } from "@wink/adapters/run";
import type { BoundPrompt, PromptResponse } from "@wink/prompt";
import { askText } from "../terminal/ask.js";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import { remark, stderrColorsFor } from "../terminal/print.js";

export interface StoppableRun {
  readonly adapter: ModelAdapter;
  readonly prompt: BoundPrompt;
  readonly run: Run;
  /** Ends the run. */
  readonly signal: AbortSignal;
  /** The options of the evaluation, also for messages that the person adds later. */
  readonly options: Omit<SendOptions, "signal" | "onApproval">;
  readonly start: (options: SendOptions) => Promise<PromptResponse>;
  /** Asks about calls, and calls `stop` if the person stops instead. @default every call that needs an approval is denied */
  readonly onApproval: ((stop: () => void) => SendOptions["onApproval"]) | undefined;
  /** Stops the run like Ctrl-C. */
  readonly interrupt: () => void;
}

/**
 * Evaluates a prompt. Esc stops the turn and keeps the run: the person says how it continues, or ends it with an empty
 * line.
 */
export async function evaluateWithStops(
  io: Io,
  { adapter, prompt, run, signal, options, start, onApproval, interrupt }: StoppableRun,
): Promise<PromptResponse> {
  let send = start;
  for (;;) {
    const turn = new AbortController();
    const stop = () => turn.abort(new Error("A person stopped the turn."));
    // If no one can be asked about calls, no one can be asked how to continue.
    const release = onApproval === undefined ? () => {} : io.keys.listen(stop);
    try {
      return await send({
        ...options,
        signal: AbortSignal.any([signal, turn.signal]),
        // Esc at a question has already stopped the turn.
        onApproval: onApproval?.(() => turn.signal.aborted || interrupt()),
      });
    } catch (error) {
      if (!turn.signal.aborted || signal.aborted) throw error;
    } finally {
      release();
    }
    const text = await askHowToContinue(io);
    const conversation = await Conversation.open({ adapter, prompt, run });
    send = (given) => conversation.send(text, given);
  }
}

async function askHowToContinue(io: Io): Promise<string> {
  const { cyan, dim } = stderrColorsFor(io);
  remark(io, dim("Stopped. Tell the agent how to continue, or press Enter to end the run."));
  const text = (await askText(io, cyan("you>"), ""))?.trim() ?? "";
  if (text !== "") return text;
  throw new CliError("Stopped.", {
    exitCode: EXIT_CODES.interrupted,
    hint: "wink run AGENT --resume continues the run.",
  });
}
