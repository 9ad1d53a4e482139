import type { GrepResult } from "@wink/filesystem";
import { defineTool, ok } from "@wink/prompt";
import { z } from "zod";
import { count } from "../reply/count.js";
import { describePage, pageItems } from "../reply/page-items.js";
import { oneLine, quote } from "../reply/quote.js";
import { toolHandler } from "../reply/tool-handler.js";
import type { FileToolSettings } from "./file-tool-settings.js";
import { showMatches } from "./grep-context.js";
import { listingOf, renderListing } from "./ls.js";
import { pageFields, pageOptions } from "./page-fields.js";

export const GrepInput = z.object({
  pattern: z.string().describe("A regular expression, matched line by line."),
  path: z.string().default(".").describe("A directory to search, or one file."),
  glob: z.string().optional().describe("Only files that match this pattern, such as *.ts."),
  output_mode: z
    .enum(["content", "files_with_matches", "count"])
    .default("content")
    .describe(
      "content shows the lines, files_with_matches the paths, count the matches in each file.",
    ),
  context: z.number().int().min(0).default(0).describe("Lines to show around each match."),
  ignore_case: z.boolean().default(false).describe("Ignore upper and lower case."),
  literal: z.boolean().default(false).describe("Treat the pattern as plain text."),
  ...pageFields,
});

export function grepHandlerFor({ limits, nameTool }: FileToolSettings) {
  return toolHandler({
    input: GrepInput,
    nameTool,
    async run(input, { filesystem, signal }) {
      const { pattern, path, glob, output_mode, ignore_case, literal } = input;
      const matches = await filesystem.grep(pattern, {
        path,
        ...(glob !== undefined && { glob }),
        ignoreCase: ignore_case,
        literal,
        signal,
      });
      const context = Math.min(input.context, limits.maxContextLines);
      const options = pageOptions(input, limits);
      const isContent = output_mode === "content";
      const nouns = isContent ? (["match", "matches"] as const) : (["file", "files"] as const);
      const items = isContent
        ? await showMatches(matches, { context, filesystem, signal, page: options })
        : summarize(matches, output_mode);
      const page = pageItems(items, options);
      const where = `for ${quote(pattern)}${isContent ? ` in ${count(filesOf(matches).size, "file")}` : ""}`;
      const message =
        page.total === 0
          ? `No ${nouns[1]} ${where.replace(/ in 0 files$/, "")}.`
          : describePage(page, nouns, where, matches.truncated);
      return ok(listingOf(page), [message, ...notes(matches)].join(" "));
    },
  });
}

export function grepTool(settings: FileToolSettings) {
  return defineTool({
    name: "grep",
    description: "Search the lines of files with a regular expression.",
    input: GrepInput,
    access: "read",
    handler: grepHandlerFor(settings),
    render: renderListing,
  });
}

const MAX_PATH_CHARACTERS = 2_000;

function filesOf(matches: GrepResult): ReadonlyMap<string, number> {
  const files = new Map<string, number>();
  for (const { path } of matches) files.set(path, (files.get(path) ?? 0) + 1);
  return files;
}

function summarize(matches: GrepResult, mode: "files_with_matches" | "count"): readonly string[] {
  return [...filesOf(matches)].map(([path, lines]) => {
    const shown = oneLine(path, MAX_PATH_CHARACTERS);
    return mode === "count" ? `${shown}:${lines}` : shown;
  });
}

function notes(matches: GrepResult): readonly string[] {
  return [
    ...(matches.truncated
      ? [
          `The search stopped at ${count(matches.length, "matching line")}; narrow it with path, glob or a longer pattern.`,
        ]
      : []),
    ...(matches.skippedCount > 0
      ? [`${count(matches.skippedCount, "file")} not searched (${reasons(matches)}).`]
      : []),
  ];
}

function reasons({ skipped }: GrepResult): string {
  return [...new Set(skipped.map(({ reason }) => reason))].join(", ");
}
