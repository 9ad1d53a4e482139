/** Comments and messages come from code, prose from Markdown. */
export type TextKind = "comments" | "messages" | "prose";

/** A text that people read, and where it begins in its file. */
export interface ReadableText {
  readonly kind: TextKind;
  readonly text: string;
  readonly start: number;
}

const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g;

/** Shorter strings are identifiers, keys and formats. */
const STRING = /"(?:[^"\\\n]|\\.){12,}"|`(?:[^`\\]|\\.){12,}`/g;

/**
 * Finds the comments and messages of a source file, or the prose of a Markdown file without its code blocks.
 *
 * It uses patterns instead of a parser: the limits are rates, and a few wrong words do not change a rate.
 */
export function textsOfFile(file: string, source: string): readonly ReadableText[] {
  if (file.endsWith(".md")) return [{ kind: "prose", text: blankCodeBlocks(source), start: 0 }];
  if (!/\.[cm]?[jt]sx?$/.test(file)) return [];
  return [
    ...find("comments", COMMENT, source),
    ...find("messages", STRING, source).filter(({ text }) => text.includes(" ")),
  ];
}

function find(kind: TextKind, pattern: RegExp, source: string): readonly ReadableText[] {
  return [...source.matchAll(pattern)].map((match) => ({
    kind,
    text: match[0],
    start: match.index,
  }));
}

/** Keeps the line breaks, so that line numbers stay right. */
function blankCodeBlocks(markdown: string): string {
  return markdown.replaceAll(/```[\s\S]*?```/g, (block) => block.replaceAll(/[^\n]/g, " "));
}
