import { createInterface } from "node:readline/promises";
import { CliError } from "./cli-error.js";
import { EXIT_CODES } from "./exit-codes.js";
import type { Io } from "./io.js";
import { safeText } from "./terminal-text.js";

export interface ConfirmOptions {
  /** What a yes does, as a question: `Apply 3 changes to ./shop?` */
  readonly question: string;
  /** `--yes` was given, so do not ask. */
  readonly yes: boolean;
}

/**
 * Asks before a step with consequences. Resolves to the answer. Enter alone means no, and so does
 * the end of the input.
 *
 * Throws a {@link CliError} (refused) without a terminal and without `--yes`.
 */
export async function confirm(io: Io, { question, yes }: ConfirmOptions): Promise<boolean> {
  if (yes) return true;
  if (!io.isTerminal) {
    throw new CliError("This command asks for confirmation, but there is no terminal.", {
      exitCode: EXIT_CODES.refused,
      hint: "Add --yes to continue without a question.",
    });
  }
  return /^y(es)?$/i.test(await ask(io, `${safeText(question)} [y/N] `));
}

/** Reads one line from the terminal. Ctrl-C and Ctrl-D give an empty answer. */
async function ask(io: Io, question: string): Promise<string> {
  const lines = createInterface({ input: io.stdin, output: io.stderr });
  try {
    return await new Promise<string>((resolve, reject) => {
      // End the line of the question, because no Enter did.
      const giveUp = () => {
        io.stderr.write("\n");
        resolve("");
      };
      lines.once("close", giveUp);
      lines.once("SIGINT", () => lines.close());
      lines.question(question).then((text) => {
        lines.off("close", giveUp);
        resolve(text.trim());
      }, reject);
    });
  } finally {
    lines.close();
  }
}
