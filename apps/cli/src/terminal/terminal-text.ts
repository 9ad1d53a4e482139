import stringWidth from "fast-string-width";
import { wrapAnsi } from "fast-wrap-ansi";

// Text of a model or a file must not move the cursor, set a title or hide earlier text.
const UNSAFE = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Makes untrusted text one line of at most `width` columns without control characters. */
export function oneLine(text: string, width: number): string {
  const clean = cleanLine(text, width);
  return stringWidth(clean) <= width ? clean : `${takeStart(clean, width - 1)}…`;
}

/** Makes an untrusted path at most `width` columns wide. It omits directories before the file name. */
export function clipPath(path: string, width: number): string {
  // A path is never long enough to be a problem.
  const clean = cleanLine(path, Math.max(width, path.length));
  if (stringWidth(clean) <= width) return clean;
  const name = clean.slice(clean.lastIndexOf("/") + 1);
  const room = width - stringWidth(name) - 2;
  if (room >= 0 && name !== clean) return `${takeStart(clean, room)}…/${name}`;
  const end = Math.floor((width - 1) / 2);
  return `${takeStart(name, width - 1 - end)}…${takeEnd(name, end)}`;
}

/** Like `oneLine`, but shortens the directories of the paths first, so that their file names stay. */
export function oneLineWithPaths(text: string, paths: readonly string[], width: number): string {
  let shown = text;
  for (const path of paths) {
    const excess = stringWidth(cleanLine(shown, width)) - width;
    if (excess <= 0) break;
    const room = Math.max(MIN_PATH_WIDTH, stringWidth(path) - excess);
    shown = shown.replace(path, () => clipPath(path, room));
  }
  return oneLine(shown, width);
}

const MIN_PATH_WIDTH = 12;

/** Adds spaces up to `width` columns. */
export function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - stringWidth(text)));
}

export { stringWidth };

function cleanLine(text: string, width: number): string {
  return text
    .slice(0, width * 4 + 100)
    .replace(/\s+/g, " ")
    .replace(UNSAFE, "�")
    .trim();
}

const CHARACTERS = new Intl.Segmenter();

function takeStart(text: string, width: number): string {
  let taken = "";
  for (const { segment } of CHARACTERS.segment(text)) {
    if (stringWidth(taken + segment) > width) break;
    taken += segment;
  }
  return taken;
}

function takeEnd(text: string, width: number): string {
  const characters = [...CHARACTERS.segment(text)].map(({ segment }) => segment);
  while (stringWidth(characters.join("")) > width) characters.shift();
  return characters.join("");
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

/** Wraps untrusted text at word boundaries into lines of at most `width` columns. A short line keeps its indentation. */
export function wrap(text: string, width: number): readonly string[] {
  const clean = safeText(text);
  if (!clean.includes("\n") && stringWidth(clean) <= width) return [clean];
  return wrapAnsi(clean, width, { hard: true }).split("\n");
}
