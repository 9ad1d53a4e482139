/** Quotes any text as one word for a POSIX shell, bash or zsh. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
