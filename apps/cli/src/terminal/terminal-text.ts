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

// Colour and weight; not what hides a text.
const PRINTING = /\p{Cc}\[(?!8m)\d{1,2}m|[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Our own words with somebody else's names in them: only lines, and colours where there are any, are left of what steers a terminal. */
export function printable(text: string, hasColor: boolean): string {
  if (!hasColor) return safeText(text);
  return text.replace(PRINTING, (found) => (found.startsWith("\u001b[") ? found : safeText(found)));
}

/** A value as JSON for a program, which does nothing to the terminal of a person who looks at it. */
export function safeJson(value: unknown): string {
  const escaped = (character: string) =>
    character === "\n" ? character : character.split("").map(escapedUnit).join("");
  return JSON.stringify(value, null, 2).replace(UNSAFE, escaped);
}

function escapedUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
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
