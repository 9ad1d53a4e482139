/** A text as one word of a POSIX shell, bash or zsh, whatever is in it. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
