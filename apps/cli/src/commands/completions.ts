import { Argument, Command } from "commander";
import { SHELL_SCRIPTS, type Shell } from "../completions/shell-scripts.js";
import type { Io } from "../terminal/io.js";
import { answer } from "../terminal/print.js";

export function completionsCommand(io: Io): Command {
  return new Command("completions")
    .description("print a script that completes wink's commands and options")
    .addArgument(new Argument("<shell>", "your shell").choices(Object.keys(SHELL_SCRIPTS)))
    .addHelpText(
      "after",
      `
To install it:
  bash        echo 'source <(wink completions bash)' >> ~/.bashrc
  zsh         echo 'source <(wink completions zsh)' >> ~/.zshrc
  fish        wink completions fish > ~/.config/fish/completions/wink.fish
  powershell  wink completions powershell >> $PROFILE`,
    )
    .action((shell: Shell, _: unknown, command: Command) => {
      const script = SHELL_SCRIPTS[shell];
      answer(io, command, { shell, script }, () => script.trimEnd());
    });
}

/** The scripts call it for each TAB. People do not, so the help does not show it. */
export function completeCommand(io: Io): Command {
  return new Command("complete")
    .description("print the words that complete a command line")
    .argument("<words...>", "the command line without wink, up to the cursor")
    .action(async (words: readonly string[], _: unknown, command: Command) => {
      const { complete } = await import("../completions/complete.js");
      // Commander sets `parent` to the program.
      for (const { word, description } of complete(command.parent ?? command, words))
        io.stdout.write(`${word}\t${description}\n`);
    });
}
