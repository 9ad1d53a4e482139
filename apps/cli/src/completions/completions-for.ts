import type { Command } from "commander";
import { bashCompletions } from "./bash.js";
import { describeCommands } from "./describe-commands.js";
import { fishCompletions } from "./fish.js";
import { zshCompletions } from "./zsh.js";

const WRITERS = { bash: bashCompletions, zsh: zshCompletions, fish: fishCompletions } as const;

export type Shell = keyof typeof WRITERS;

/** Returns the completion script of a shell for `program`. */
export function completionsFor(shell: Shell, program: Command): string {
  return WRITERS[shell](describeCommands(program));
}
