import { clipLine } from "./clip-text.js";
import { count } from "./count.js";

export interface PageOptions {
  /** The number of items to skip. */
  readonly offset: number;
  readonly limit: number;
  readonly maxCharacters: number;
  readonly maxLineCharacters: number;
}

export interface Page {
  /** The shown lines, each clipped to the limit. */
  readonly lines: readonly string[];
  readonly offset: number;
  readonly total: number;
  /** The offset of the next page; `undefined` on the last page. */
  readonly nextOffset: number | undefined;
}

/** Returns as many lines from `offset` on as the limits allow, and at least one if there is one. */
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

/** Describes the shown range and the total, and how to get the next page. */
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
    return `Nothing at offset ${offset}: ${count(total, singular, plural)} ${where}.`;
  const first = (offset + 1).toLocaleString("en");
  const last = (offset + lines.length).toLocaleString("en");
  const shown = `${plural} ${first} to ${last} of ${least}${total.toLocaleString("en")} ${where}.`;
  const sentence = shown.charAt(0).toUpperCase() + shown.slice(1);
  return nextOffset === undefined ? sentence : `${sentence} Continue with offset ${nextOffset}.`;
}

/** The whole answer for a page. Without a description if it shows all lines. */
export function answerPage(page: Page, nouns: readonly [string, string], where: string): string {
  const text = page.lines.join("\n");
  const isWhole = page.lines.length === page.total;
  return isWhole ? text : `${describePage(page, nouns, where)}\n\n${text}`;
}
