// What a model or a file says must not move the cursor, set a title or hide what stands before it.
const UNSAFE = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Somebody else's text as one line of at most `width` characters that does nothing to a terminal. */
export function oneLine(text: string, width: number): string {
  const clean = text
    .slice(0, width * 4 + 100)
    .replace(/\s+/g, " ")
    .replace(UNSAFE, "�")
    .trim();
  const characters = [...clean];
  if (characters.length <= width) return clean;
  return `${characters.slice(0, Math.max(0, width - 1)).join("")}…`;
}

/** Somebody else's text of many lines that does nothing to a terminal but print. */
export function safeText(text: string): string {
  return text.replace(UNSAFE, (character) =>
    character === "\n" || character === "\t" ? character : "�",
  );
}

/** Somebody else's text in lines of at most `width` characters, broken between words. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of safeText(text).split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(oneLine(word, width));
  }
  return lines;
}
