import type { Command, Option } from "commander";

/** A word that the shell can offer. */
export interface Completion {
  readonly word: string;
  readonly description: string;
}

/**
 * Completes the last of `words`, the command line without `wink`. It reads the program's own declarations, so
 * completions always match the commands. After an empty result the shell completes file names.
 */
export function complete(program: Command, words: readonly string[]): readonly Completion[] {
  const [typed = ""] = words.slice(-1);
  const before = words.slice(0, -1);
  const command = before.reduce(
    (found, word) => found.commands.find((child) => child.name() === word) ?? found,
    program,
  );
  const options = command === program ? program.options : [...command.options, ...program.options];
  const open = options.find(
    (each) => takesValue(each) && namesOf(each).includes(before.at(-1) ?? ""),
  );
  return (open === undefined ? wordsOf(command, options) : valuesOf(open)).filter(({ word }) =>
    word.startsWith(typed),
  );
}

function wordsOf(command: Command, options: readonly Option[]): readonly Completion[] {
  return [
    ...command
      .createHelp()
      .visibleCommands(command)
      .map((child) => ({ word: child.name(), description: child.description() })),
    ...command.registeredArguments.flatMap(valuesOf),
    ...options.flatMap((option) =>
      namesOf(option).map((word) => ({ word, description: option.description })),
    ),
    { word: "--help", description: "show help" },
  ];
}

function valuesOf(given: { readonly argChoices?: string[]; readonly description: string }) {
  return (given.argChoices ?? []).map((word) => ({ word, description: given.description }));
}

function namesOf({ short, long }: Option): readonly string[] {
  return [short, long].filter((name) => name !== undefined);
}

function takesValue({ required, optional }: Option): boolean {
  return required || optional;
}
