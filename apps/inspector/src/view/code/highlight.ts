import type { Language } from "./languages.js";

/** A piece of a line, with the name of its colour. */
export interface Token {
  readonly text: string;
  /** @default the colour of text */
  readonly kind?: string | undefined;
}

/** Longer texts are shown without colours, because the search for tokens would block the page. */
const MAX_HIGHLIGHTED_CHARACTERS = 200_000;

/** The lines of a text as coloured pieces. Together they are the text, character by character. */
export function highlightLines(
  text: string,
  language: Language | undefined,
): readonly (readonly Token[])[] {
  const lines: Token[][] = [[]];
  if (language === undefined || text.length > MAX_HIGHLIGHTED_CHARACTERS)
    addText(text, undefined, lines);
  else {
    let done = 0;
    for (const match of text.matchAll(language.pattern)) {
      const [found] = match;
      addText(text.slice(done, match.index), undefined, lines);
      done = match.index + found.length;
      addText(found, kindOf(match, language, text.slice(done, done + 2)), lines);
    }
    addText(text.slice(done), undefined, lines);
  }
  return lines;
}

function kindOf(match: RegExpExecArray, { keywords }: Language, next: string): string | undefined {
  const [kind] = Object.entries(match.groups ?? {}).find(([, value]) => value !== undefined) ?? [];
  if (kind === "key") return /^ ?:/.test(next) ? "attr" : "string";
  if (kind !== "word") return kind;
  const [word] = match;
  if (keywords.has(word) || keywords.has(word.toLowerCase())) return "keyword";
  if (/^ ?\(/.test(next) || /^[A-Z][a-z]/.test(word)) return "title";
  return undefined;
}

function addText(text: string, kind: string | undefined, lines: Token[][]): void {
  if (text === "") return;
  for (const [index, piece] of text.split("\n").entries()) {
    if (index > 0) lines.push([]);
    if (piece !== "") lines.at(-1)?.push({ text: piece, kind });
  }
}
