import { isCancel, SelectKeyPrompt, TextPrompt } from "@clack/core";
import { CliError } from "./cli-error.js";
import { EXIT_CODES } from "./exit-codes.js";
import type { Io } from "./io.js";
import { stderrColorsFor } from "./print.js";
import { safeText } from "./terminal-text.js";

export interface ConfirmOptions {
  /** What a yes does, as a question: `Apply 3 changes to ./shop?` */
  readonly question: string;
  /** `--yes` was given, so do not ask. */
  readonly yes: boolean;
  /** Shows the changes after the answer `diff`, and then the question again. @default no such answer */
  readonly showDiff?: (() => Promise<void>) | undefined;
}

/**
 * Asks before a step with consequences. Resolves to the answer. Enter, Ctrl-C, Ctrl-D and the end of
 * the input mean no.
 *
 * Throws a {@link CliError} (refused) without a terminal and without `--yes`.
 */
export async function confirm(
  io: Io,
  { question, yes, showDiff }: ConfirmOptions,
): Promise<boolean> {
  if (yes) return true;
  requireTerminal(io, "Add --yes to continue without a question.");
  const answers = showDiff === undefined ? ["yes", "no"] : ["yes", "diff", "no"];
  for (;;) {
    const answer = await pressKey(io, safeText(question), answers, "no");
    if (answer !== "diff") return answer === "yes";
    await showDiff?.();
  }
}

/** Asks for one of several answers by their first letters. The last one is the default. */
export async function choose<const Answer extends string>(
  io: Io,
  question: string,
  answers: readonly Answer[],
): Promise<Answer> {
  requireTerminal(io, "Name the files to apply instead.");
  // `pressKey` returns one of the answers.
  return (await pressKey(io, safeText(question), answers, answers.at(-1))) as Answer;
}

/** Asks for one of several answers by their first letters. `undefined` after Ctrl-C, Ctrl-D and the end of the input. */
export async function chooseKey(
  io: Io,
  question: string,
  answers: readonly string[],
): Promise<string | undefined> {
  return await pressKey(io, safeText(question), answers, undefined);
}

/** Asks for a line of text. `undefined` after Ctrl-C, Ctrl-D on an empty line, and the end of the input. */
export async function askText(
  io: Io,
  question: string,
  initial: string,
): Promise<string | undefined> {
  io.status.clear();
  const controller = new AbortController();
  const prompt = new TextPrompt({
    ...{ input: io.stdin, output: io.stderr, signal: controller.signal, initialUserInput: initial },
    render() {
      const isOpen = this.state === "initial" || this.state === "active";
      return `${question} ${isOpen ? this.userInputWithCursor : (this.value ?? "")}`;
    },
  });
  return await untilEnd(io, controller, async () => {
    const answer = await prompt.prompt();
    return isCancel(answer) ? undefined : (answer ?? "");
  });
}

function requireTerminal({ isTerminal }: Io, hint: string): void {
  if (isTerminal) return;
  throw new CliError("This command asks for confirmation, but there is no terminal.", {
    exitCode: EXIT_CODES.refused,
    hint,
  });
}

/**
 * Shows a question as `Apply it? [y]es, [N]o`. Resolves to one of `answers`; the last is the default. After Ctrl-C and at
 * the end of the input, it resolves to `cancelled`.
 */
async function pressKey<Cancelled>(
  io: Io,
  question: string,
  answers: readonly string[],
  cancelled: Cancelled,
): Promise<string | Cancelled> {
  const { dim } = stderrColorsFor(io);
  const [fallback = ""] = answers.slice(-1);
  const shown = answers.map((each) => {
    const key = each.charAt(0);
    return `[${each === fallback ? key.toUpperCase() : key}]${each.slice(1)}`;
  });
  io.status.clear();
  const controller = new AbortController();
  const prompt = new SelectKeyPrompt({
    options: answers.map((value) => ({ value })),
    input: io.stdin,
    output: io.stderr,
    signal: controller.signal,
    render() {
      const isOpen = this.state === "initial" || this.state === "active";
      return `${question} ${isOpen ? dim(shown.join(", ")) : (this.value ?? fallback)}`;
    },
  });
  return await untilEnd(io, controller, async () => {
    const answer = await prompt.prompt();
    return isCancel(answer) ? cancelled : (answer ?? fallback);
  });
}

/** Runs a prompt that Ctrl-D and the end of the input cancel. */
async function untilEnd<T>(
  { stdin, keys }: Io,
  controller: AbortController,
  prompt: () => Promise<T>,
): Promise<T> {
  const cancel = () => controller.abort();
  const onKey = (
    _: unknown,
    key: { readonly ctrl?: boolean; readonly name?: string } | undefined,
  ) => {
    if (key?.name === "escape") keys.escape();
    if (key?.ctrl && key.name === "d") cancel();
  };
  const resume = keys.pause();
  stdin.on("keypress", onKey).once("end", cancel);
  try {
    return await prompt();
  } finally {
    stdin.off("keypress", onKey).off("end", cancel);
    resume();
  }
}
