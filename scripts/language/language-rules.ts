import type { TreeFile } from "../lines/read-tree.js";
import { EXEMPT_FILES, MAX_PER_10000_WORDS, PHRASES } from "./language-phrases.js";
import { OLD_STYLE } from "./refused-language-phrases.js";
import { type TextKind, textsOfFile } from "./texts-of-file.js";

const MAX_LISTED_FILES = 12;
/** One phrase of `PHRASES` can be plain English in its place. Several in one sentence cannot. */
const OLD_STYLE_PHRASES = 2;
/** Ends at a full stop, a blank line, a row of a table or an item of a list. */
const SENTENCE = /(?:[^.!?|\n]|[.!?](?!\s)|\n(?!\s*(?:[-*|#]\s|\n)))+/g;

const phrasePattern = new RegExp(
  `\\b(?:${PHRASES.map((phrase) => phrase.replaceAll(" ", "\\s+")).join("|")})\\b`,
  "gi",
);

/** The number of words and the found phrases of one kind of text in one file. */
export interface FileCount {
  readonly file: string;
  readonly kind: TextKind;
  readonly words: number;
  /** Where each phrase is, as `<line>: <phrase>`. */
  readonly hits: readonly string[];
  /** Sentences with several phrases, or with a pattern of `OLD_STYLE`, as `<line>: <sentence>`. */
  readonly oldStyle: readonly string[];
}

/** Counts words and phrases in files that people read. */
export function countPhrases(files: readonly TreeFile[]): readonly FileCount[] {
  return files.filter(({ file }) => !EXEMPT_FILES.test(file)).flatMap(countFile);
}

/**
 * Returns a problem for each sentence in the old style, and one if this kind of text has more phrases than
 * {@link MAX_PER_10000_WORDS} allows.
 */
export function checkLanguage(kind: TextKind, counts: readonly FileCount[]): readonly string[] {
  const ofKind = counts.filter((count) => count.kind === kind);
  const sentences = ofKind.flatMap(({ file, oldStyle }) =>
    oldStyle.map((each) => `${file}:${each}\nRewrite this sentence in plain English.`),
  );
  return [...checkRate(kind, ofKind), ...sentences];
}

function checkRate(kind: TextKind, ofKind: readonly FileCount[]): readonly string[] {
  const max = MAX_PER_10000_WORDS[kind];
  if (rateOf(ofKind) <= max) return [];
  const worst = ofKind
    .filter(({ hits }) => hits.length > 0)
    .sort((a, b) => b.hits.length - a.hits.length);
  return [
    [
      `${kind}: ${rateOf(ofKind).toFixed(1)} phrases per 10,000 words, at most ${max} are allowed.`,
      "Rewrite them in plain English. scripts/language/language-phrases.ts lists the phrases.",
      `By area: ${describeAreas(ofKind)}.`,
      ...worst
        .slice(0, MAX_LISTED_FILES)
        .map(({ file, hits }) => `${file}: ${hits.length} (line ${hits.join(", line ")})`),
      ...(worst.length > MAX_LISTED_FILES
        ? [`… and ${worst.length - MAX_LISTED_FILES} more files.`]
        : []),
    ].join("\n"),
  ];
}

function countFile({ file, text: source }: TreeFile): readonly FileCount[] {
  const counts = new Map<TextKind, { words: number; hits: string[]; oldStyle: string[] }>();
  for (const { kind, text, start } of textsOfFile(file, source)) {
    const count = counts.get(kind) ?? { words: 0, hits: [], oldStyle: [] };
    counts.set(kind, count);
    count.words += text.match(/[A-Za-z][A-Za-z'-]*/g)?.length ?? 0;
    for (const match of text.matchAll(phrasePattern))
      count.hits.push(`${lineAt(source, start + match.index)}: ${match[0].replace(/\s+/g, " ")}`);
    const starts = new Set([...text.matchAll(OLD_STYLE)].map(({ index }) => index));
    for (const { 0: sentence, index } of text.matchAll(SENTENCE))
      if (hasSeveralPhrases(kind, sentence) || hasStart(starts, index, sentence.length))
        count.oldStyle.push(`${lineAt(source, start + index)}: ${sentence.trim()}`);
  }
  return [...counts].map(([kind, count]) => ({ file, kind, ...count }));
}

/** The strings of a program are often parts of a sentence, so their phrases are only counted. */
function hasSeveralPhrases(kind: TextKind, sentence: string): boolean {
  return kind !== "messages" && (sentence.match(phrasePattern)?.length ?? 0) >= OLD_STYLE_PHRASES;
}

/** The patterns see the whole text, because some of them apply only at the start of a sentence. */
function hasStart(starts: ReadonlySet<number>, index: number, length: number): boolean {
  return [...starts].some((at) => at >= index && at < index + length);
}

function lineAt(source: string, offset: number): number {
  return source.slice(0, offset).split("\n").length;
}

function rateOf(counts: readonly FileCount[]): number {
  const words = counts.reduce((total, count) => total + count.words, 0);
  const hits = counts.reduce((total, count) => total + count.hits.length, 0);
  return words === 0 ? 0 : (hits / words) * 10_000;
}

/** A rate for each area, highest first. */
function describeAreas(counts: readonly FileCount[]): string {
  return [...new Set(counts.map(({ file }) => areaOf(file)))]
    .map((area) => ({ area, rate: rateOf(counts.filter(({ file }) => areaOf(file) === area)) }))
    .filter(({ rate }) => rate > 0)
    .sort((a, b) => b.rate - a.rate)
    .map(({ area, rate }) => `${area} ${rate.toFixed(1)}`)
    .join(", ");
}

/** The package or app of a file, else its top folder. */
function areaOf(file: string): string {
  const project = /^(?:packages|apps)\/[^/]+(?=\/)/.exec(file)?.[0];
  return project ?? (file.includes("/") ? file.slice(0, file.indexOf("/")) : "(root)");
}
