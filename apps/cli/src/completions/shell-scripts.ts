/**
 * What each shell needs to complete `wink`. The scripts ask `wink complete` for the words and their
 * descriptions, separated by a tab. Without an answer, the shell completes file names.
 */
export const SHELL_SCRIPTS = {
  bash: `# Completions of wink for bash. Put this into ~/.bashrc: source <(wink completions bash)
_wink() {
  local IFS=$'\\n'
  COMPREPLY=($(wink complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1))
}
complete -o default -o bashdefault -F _wink wink
`,
  zsh: `#compdef wink
# Completions of wink for zsh. Put this into ~/.zshrc, after compinit: source <(wink completions zsh)
_wink() {
  local -a offered
  local word description
  while IFS=$'\\t' read -r word description; do
    offered+=("\${word//:/\\\\:}:$description")
  done < <(wink complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#offered} )); then _describe 'wink' offered; else _files; fi
}
compdef _wink wink
`,
  fish: `# Completions of wink for fish. Save them: wink completions fish > ~/.config/fish/completions/wink.fish
complete -c wink -a '(wink complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
`,
  powershell: `# Completions of wink for PowerShell. Put this into $PROFILE: wink completions powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName wink -ScriptBlock {
  param($typed, $line, $cursor)
  $words = @($line.CommandElements | Select-Object -Skip 1 | ForEach-Object { "$_" })
  if ($typed -eq '') { $words += '' }
  wink complete -- @words 2>$null | ForEach-Object {
    $word, $description = $_ -split "\`t", 2
    [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $description)
  }
}
`,
} as const;

export type Shell = keyof typeof SHELL_SCRIPTS;
