import type { Command, Option } from "commander";

/** What a shell needs to know of a command to complete it. */
export interface CommandDescription {
  /** The words that lead to it, without `wink`; none for `wink` itself. */
  readonly path: readonly string[];
  readonly description: string;
  /** What may stand in its place next: commands below it, and the values of its arguments as far as they are known. */
  readonly words: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly OptionDescription[];
}

export interface OptionDescription {
  /** `-w` and `--workspace`, as far as there are both. */
  readonly names: readonly string[];
  readonly description: string;
  readonly takesValue: boolean;
  /** The values it takes, when they are known. */
  readonly choices: readonly string[];
}

/** Every command, outermost first, as the program itself declares them: what is completed cannot differ from what is there. */
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
