import { highlighterFor, type Language } from "./languages.js";

/** A piece of a line, with the class of its colour. */
export interface Token {
  readonly text: string;
  /** @default the colour of text */
  readonly kind?: string | undefined;
}

/** Longer texts are shown without colours, because the grammar would block the page. */
const MAX_HIGHLIGHTED_CHARACTERS = 200_000;

/** The tree that highlight.js builds before it makes HTML of it. The page builds elements from it, so no HTML is parsed. */
interface Scope {
  readonly scope?: string | undefined;
  readonly children: readonly (string | Scope)[];
}

/** The lines of a text as coloured pieces. */
export function highlightLines(
  text: string,
  language: Language | undefined,
): readonly (readonly Token[])[] {
  if (language === undefined || text.length > MAX_HIGHLIGHTED_CHARACTERS) return plainLines(text);
  const tree = parse(text, language);
  if (tree === undefined) return plainLines(text);
  const lines: Token[][] = [[]];
  addScope(tree, undefined, lines);
  return lines;
}

export function plainLines(text: string): readonly (readonly Token[])[] {
  return text.split("\n").map((line) => (line === "" ? [] : [{ text: line }]));
}

function parse(text: string, language: Language): Scope | undefined {
  const result: unknown = highlighterFor(language).highlight(text, {
    language,
    ignoreIllegals: true,
  });
  // The emitter is not part of the declared result. If a later version has another one, the text has no colours.
  const { _emitter } = result as { _emitter?: { rootNode?: Scope; root?: Scope } };
  const tree = _emitter?.rootNode ?? _emitter?.root;
  return Array.isArray(tree?.children) ? tree : undefined;
}

function addScope(node: Scope, kind: string | undefined, lines: Token[][]): void {
  const own = node.scope?.startsWith("language:") ? kind : (node.scope?.split(".")[0] ?? kind);
  for (const child of node.children)
    if (typeof child === "string") addText(child, own, lines);
    else addScope(child, own, lines);
}

function addText(text: string, kind: string | undefined, lines: Token[][]): void {
  for (const [index, piece] of text.split("\n").entries()) {
    if (index > 0) lines.push([]);
    if (piece !== "") lines.at(-1)?.push({ text: piece, kind });
  }
}
