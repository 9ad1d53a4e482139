import type { CommandDescription } from "./describe-commands.js";
import { shellQuote } from "./shell-quote.js";

/** The completion script for zsh, with descriptions. */
export function zshCompletions(commands: readonly CommandDescription[]): string {
  const cases = commands.map(({ path, words: next, options }) => {
    const offered = [
      ...next.map(({ name, description }) => item(name, description)),
      ...options.flatMap(({ names, description }) => names.map((name) => item(name, description))),
    ];
    return `    ${shellQuote(path.join(" "))}) offered=(${offered.join(" ")}) ;;`;
  });
  const values = commands.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map(({ names, choices }) => {
        const patterns = names.map((name) => shellQuote([...path, name].join(" ")));
        const offered =
          choices.length === 0 ? "_files" : `compadd -- ${choices.map(shellQuote).join(" ")}`;
        return `    ${patterns.join("|")}) ${offered}; return ;;`;
      }),
  );
  const known = commands
    .map(({ path }) => shellQuote(path.join(" ")))
    .filter((each) => each !== "''");
  return `#compdef wink
# Completions of wink for zsh. Put this into ~/.zshrc, after compinit: source <(wink completions zsh)
_wink() {
  local at="" word next
  local -a offered
  for word in "\${(@)words[2,CURRENT-1]}"; do
    next="\${at:+$at }$word"
    case "$next" in
    ${known.join("|")}) at="$next" ;;
    esac
  done
  case "\${at:+$at }\${words[CURRENT-1]}" in
${values.join("\n")}
  esac
  case "$at" in
${cases.join("\n")}
  esac
  _describe 'wink' offered
  _files
}
compdef _wink wink
`;
}

function item(name: string, description: string): string {
  return shellQuote(`${name.replaceAll(":", "\\:")}:${description}`);
}
