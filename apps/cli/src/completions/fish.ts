import type { CommandDescription, OptionDescription } from "./describe-commands.js";

/** The completion script for fish, which needs one line per completion. */
export function fishCompletions(commands: readonly CommandDescription[]): string {
  const lines = commands.flatMap(({ path, words: next, options }) => {
    const when = `-n ${quote(
      conditionFor(
        path,
        next.map(({ name }) => name),
      ),
    )}`;
    return [
      ...next.map(
        ({ name, description }) =>
          `complete -c wink -f ${when} -a ${name} -d ${quote(description)}`,
      ),
      ...options.map((option) => `complete -c wink ${when} ${optionWords(option)}`),
    ];
  });
  return `# Completions of wink for fish. Save them: wink completions fish > ~/.config/fish/completions/wink.fish
${lines.join("\n")}
`;
}

/** True if all words of the path were typed and no subcommand yet. */
function conditionFor(path: readonly string[], next: readonly string[]): string {
  const seen = path.map((word) => `__fish_seen_subcommand_from ${word}`);
  const further = next.length === 0 ? [] : [`not __fish_seen_subcommand_from ${next.join(" ")}`];
  return [...seen, ...further].join("; and ") || "true";
}

function optionWords({ names, description, takesValue, choices }: OptionDescription): string {
  const flags = names.map((name) =>
    name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`,
  );
  const value = takesValue ? ["-r"] : [];
  const offered = choices.length === 0 ? [] : [`-f -a ${quote(choices.join(" "))}`];
  return [...flags, ...value, ...offered, `-d ${quote(description)}`].join(" ");
}

/** fish has two escapes inside of quotes. */
function quote(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}
