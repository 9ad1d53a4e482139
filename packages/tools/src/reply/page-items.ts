import { clipLine } from "./clip-text.js";
import { count } from "./count.js";

export interface PageOptions {
  /** Items to pass over. */
  readonly offset: number;
  readonly limit: number;
  readonly maxCharacters: number;
  readonly maxLineCharacters: number;
}

export interface Page {
  /** The lines shown, each clipped to fit. */
  readonly lines: readonly string[];
  readonly offset: number;
  readonly total: number;
  /** Where the next page starts; `undefined` when nothing is left. */
  readonly nextOffset: number | undefined;
}

/** As many lines from `offset` as the limits allow; at least one when there is one. */
export function pageItems(items: readonly string[], options: PageOptions): Page {
  const { offset, limit, maxCharacters, maxLineCharacters } = options;
  const lines: string[] = [];
  let characters = 0;
  for (const item of items.slice(offset, offset + limit)) {
    const line = clipLine(item, Math.min(maxLineCharacters, maxCharacters));
    characters += line.length + 1;
    if (lines.length > 0 && characters > maxCharacters) break;
    lines.push(line);
  }
  const end = offset + lines.length;
  const nextOffset = end < items.length ? end : undefined;
  return { lines, offset, total: items.length, nextOffset };
}

/** `Entries 1–500 of 3,000`, or all of them, and how to go on. */
export function describePage(
  page: Page,
  [singular, plural]: readonly [string, string],
  where: string,
  cut = false,
): string {
  const { lines, offset, total, nextOffset } = page;
  const least = cut ? "at least " : "";
  if (lines.length === total && !cut) return `${count(total, singular, plural)} ${where}.`;
  if (lines.length === 0)
    return `There is nothing at offset ${offset}: ${count(total, singular, plural)} ${where}.`;
  const first = (offset + 1).toLocaleString("en");
  const last = (offset + lines.length).toLocaleString("en");
  const shown = `${plural} ${first} to ${last} of ${least}${total.toLocaleString("en")} ${where}.`;
  const sentence = shown.charAt(0).toUpperCase() + shown.slice(1);
  return nextOffset === undefined ? sentence : `${sentence} Go on with offset ${nextOffset}.`;
}

/** A page as the whole answer: the lines alone when they are all there is. */
export function answerPage(page: Page, nouns: readonly [string, string], where: string): string {
  const text = page.lines.join("\n");
  const isWhole = page.lines.length === page.total;
  return isWhole ? text : `${describePage(page, nouns, where)}\n\n${text}`;
}
