import { createInterface } from "node:readline/promises";
import { CliError } from "./cli-error.js";
import { EXIT_CODES } from "./exit-codes.js";
import type { Io } from "./io.js";
import { safeText } from "./terminal-text.js";

export interface ConfirmOptions {
  /** What happens on a yes, as a question: `Apply 3 changes to ./shop?` */
  readonly question: string;
  /** `--yes` was given, so nobody is asked. */
  readonly yes: boolean;
}

/**
 * Asks before a step that cannot be taken lightly. Resolves to the answer; Enter alone is no, and so is the end of the input.
 *
 * Throws a {@link CliError} (refused) when there is nobody to ask and no `--yes`.
 */
export async function confirm(io: Io, { question, yes }: ConfirmOptions): Promise<boolean> {
  if (yes) return true;
  if (!io.isTerminal) {
    throw new CliError("This asks before it goes on, and there is no terminal to ask.", {
      exitCode: EXIT_CODES.refused,
      hint: "Add --yes to go on without being asked.",
    });
  }
  return /^y(es)?$/i.test(await ask(io, `${safeText(question)} [y/N] `));
}

/** One line from the person at the terminal; Ctrl-C and Ctrl-D are an empty answer. */
async function ask(io: Io, question: string): Promise<string> {
  const lines = createInterface({ input: io.stdin, output: io.stderr });
  try {
    return await new Promise<string>((resolve, reject) => {
      // The cursor stands behind the question; an answer would have ended that line.
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
