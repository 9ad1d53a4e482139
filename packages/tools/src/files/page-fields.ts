import { z } from "zod";
import { bodyCharacters, type ToolLimits } from "../reply/limits.js";
import type { PageOptions } from "../reply/page-items.js";

/** Input fields of tools that answer in pages. */
export const pageFields = {
  offset: z.number().int().min(0).default(0).describe("Results to skip, for the next page."),
  limit: z.number().int().min(1).optional().describe("Maximum number of results to show."),
};

export function pageOptions(
  { offset, limit }: { readonly offset: number; readonly limit?: number | undefined },
  limits: ToolLimits,
): PageOptions {
  return {
    offset,
    limit: Math.min(limit ?? limits.maxPageItems, limits.maxPageItems),
    maxCharacters: bodyCharacters(limits),
    maxLineCharacters: limits.maxLineCharacters,
  };
}
