// Text of a model or a file must not move the cursor, set a title or hide earlier text.
const UNSAFE = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Makes untrusted text one line of at most `width` characters without control characters. */
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

/** Removes control characters from untrusted text of several lines. */
export function safeText(text: string): string {
  return text.replace(UNSAFE, (character) =>
    character === "\n" || character === "\t" ? character : "�",
  );
}

// Matches codes for colour and weight, except for hidden text.
const PRINTING = /\p{Cc}\[(?!8m)\d{1,2}m|[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/**
 * Cleans our own text that contains untrusted names. Only line breaks, tabs and (if `hasColor`)
 * colour codes stay.
 */
export function printable(text: string, hasColor: boolean): string {
  if (!hasColor) return safeText(text);
  return text.replace(PRINTING, (found) => (found.startsWith("\u001b[") ? found : safeText(found)));
}

/** JSON with escaped control characters, so that it is safe to look at in a terminal. */
export function safeJson(value: unknown): string {
  const escaped = (character: string) =>
    character === "\n" ? character : character.split("").map(escapedUnit).join("");
  return JSON.stringify(value, null, 2).replace(UNSAFE, escaped);
}

function escapedUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Wraps untrusted text at word boundaries into lines of at most `width` characters. */
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
