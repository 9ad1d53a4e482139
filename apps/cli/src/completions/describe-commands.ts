import type { Command, Option } from "commander";

/** What a shell needs to complete a command. */
export interface CommandDescription {
  /** The words of the command without `wink`. Empty for `wink` itself. */
  readonly path: readonly string[];
  readonly description: string;
  /** The possible next words: subcommands, and the known values of arguments. */
  readonly words: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly OptionDescription[];
}

export interface OptionDescription {
  /** The short and the long name, such as `-w` and `--workspace`. */
  readonly names: readonly string[];
  readonly description: string;
  readonly takesValue: boolean;
  /** The allowed values, if they are known. */
  readonly choices: readonly string[];
}

/**
 * Lists every command, outermost first. It reads them from the program itself, so completions
 * always match the commands.
 */
export function describeCommands(program: Command): readonly CommandDescription[] {
  const shared = program.options.filter(({ long }) => long !== "--version").map(describeOption);
  const visit = (command: Command, path: readonly string[]): readonly CommandDescription[] => {
    const visible = command.createHelp().visibleCommands(command);
    const own = command.options.map(describeOption);
    const description: CommandDescription = {
      path,
      description: command.description(),
      words: [
        ...visible.map((child) => ({ name: child.name(), description: child.description() })),
        ...command.registeredArguments.flatMap(({ argChoices = [], description: about }) =>
          argChoices.map((name) => ({ name, description: about })),
        ),
      ],
      options: [...own, ...(path.length === 0 ? [] : shared), HELP],
    };
    return [
      description,
      ...command.commands.flatMap((child) => visit(child, [...path, child.name()])),
    ];
  };
  return visit(program, []);
}

const HELP: OptionDescription = {
  names: ["-h", "--help"],
  description: "show help",
  takesValue: false,
  choices: [],
};

function describeOption({ short, long, description, required, optional, argChoices }: Option) {
  return {
    names: [short, long].filter((name) => name !== undefined),
    description,
    takesValue: required || optional,
    choices: argChoices ?? [],
  };
}
