import type { CommandDescription } from "./describe-commands.js";
import { shellQuote } from "./shell-quote.js";

/** A bash function that completes commands, options, their values, and otherwise files. */
export function bashCompletions(commands: readonly CommandDescription[]): string {
  const words = commands.map(({ path, words: next, options }) => {
    const offered = [...next.map(({ name }) => name), ...options.flatMap(({ names }) => names)];
    return `    ${shellQuote(path.join(" "))}) words=${shellQuote(offered.join(" "))} ;;`;
  });
  const values = commands.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map(({ names, choices }) => {
        const patterns = names.map((name) => shellQuote([...path, name].join(" ")));
        return `    ${patterns.join("|")}) takes_value=1; words=${shellQuote(choices.join(" "))} ;;`;
      }),
  );
  const known = commands.map(({ path }) => shellQuote(path.join(" ")));
  return `# Completions of wink for bash. Put this into ~/.bashrc: source <(wink completions bash)
_wink() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local path="" words="" takes_value="" word next
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    next="\${path:+$path }$word"
    case "$next" in
    ${known.filter((each) => each !== "''").join("|")}) path="$next" ;;
    esac
  done
  case "\${path:+$path }$previous" in
${values.join("\n")}
  esac
  if [[ -z "$takes_value" ]]; then
    case "$path" in
${words.join("\n")}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -o bashdefault -F _wink wink
`;
}
