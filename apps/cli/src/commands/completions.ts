import { Argument, Command } from "commander";
import type { Io } from "../terminal/io.js";
import { answer } from "../terminal/print.js";

export function completionsCommand(io: Io): Command {
  return new Command("completions")
    .description("print a script that completes wink's commands and options")
    .addArgument(new Argument("<shell>", "your shell").choices(["bash", "zsh", "fish"]))
    .addHelpText(
      "after",
      `
  bash   echo 'source <(wink completions bash)' >> ~/.bashrc
  zsh    echo 'source <(wink completions zsh)' >> ~/.zshrc
  fish   wink completions fish > ~/.config/fish/completions/wink.fish`,
    )
    .action(async (shell: "bash" | "zsh" | "fish", _: unknown, command: Command) => {
      const { completionsFor } = await import("../completions/completions-for.js");
      // Commander sets `parent` to the program.
      const program = command.parent ?? command;
      const script = completionsFor(shell, program);
      answer(io, command, { shell, script }, () => script.trimEnd());
    });
}
