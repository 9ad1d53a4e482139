import { z } from "zod";
import { clipLine } from "./clip-text.js";
import { count } from "./count.js";
import { bodyCharacters, type ToolLimits } from "./limits.js";

/** Input fields of tools that answer in pages. */
export const pageFields = {
  offset: z.number().int().min(0).default(0).describe("Results to skip, for the next page."),
  limit: z.number().int().min(1).optional().describe("Maximum number of results to show."),
};

export interface Paging {
  /** The number of items to skip. */
  readonly offset: number;
  /** @default `maxItems` */
  readonly limit?: number | undefined;
}

export type Page = ReturnType<typeof pageItems>;

/** Returns as many lines from `offset` on as the limits allow, each clipped, and at least one if there is one. */
export function pageItems(
  items: readonly string[],
  { offset, limit = Number.POSITIVE_INFINITY }: Paging,
  limits: ToolLimits,
  maxItems: number = limits.maxPageItems,
) {
  const maxCharacters = bodyCharacters(limits);
  const lines: string[] = [];
  let characters = 0;
  for (const item of items.slice(offset, offset + Math.min(limit, maxItems))) {
    const line = clipLine(item, Math.min(limits.maxLineCharacters, maxCharacters));
    characters += line.length + 1;
    if (lines.length > 0 && characters > maxCharacters) break;
    lines.push(line);
  }
  const end = offset + lines.length;
  return { lines, offset, total: items.length, ...(end < items.length && { nextOffset: end }) };
}

/** Describes the shown range and the total, and how to get the next page. */
export function describePage(
  { lines, offset, total, nextOffset }: Page,
  [singular, plural]: readonly [string, string],
  where: string,
  cut = false,
): string {
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
  const text = renderPage(page);
  const isWhole = page.lines.length === page.total;
  return isWhole ? text : `${describePage(page, nouns, where)}\n\n${text}`;
}

export function renderPage({ lines }: Pick<Page, "lines">): string {
  return lines.join("\n");
}
