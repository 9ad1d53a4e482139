import type { GrepResult } from "@wink/filesystem";
import { defineTool, ok } from "@wink/prompt";
import { z } from "zod";
import { answering } from "../reply/answering.js";
import { count } from "../reply/count.js";
import { describePage, pageFields, pageItems, renderPage } from "../reply/page-items.js";
import { pathLine, quote } from "../reply/quote.js";
import type { FileToolSettings } from "./file-tool-settings.js";
import { showMatches } from "./grep-context.js";

const GrepInput = z.object({
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

export function grepTool({ limits, nameTool }: FileToolSettings) {
  return defineTool({
    name: "grep",
    description: "Search the lines of files with a regular expression.",
    input: GrepInput,
    access: "read",
    effects: "workspace",
    handler: answering(nameTool, async (input, { filesystem, signal }) => {
      const { pattern, path, glob, output_mode, ignore_case: ignoreCase, literal } = input;
      const matches = await filesystem.grep(pattern, {
        ...{ path, ignoreCase, literal, signal },
        ...(glob !== undefined && { glob }),
      });
      const isContent = output_mode === "content";
      const nouns = isContent ? (["match", "matches"] as const) : (["file", "files"] as const);
      const items = isContent
        ? await showMatches(matches, {
            ...{ filesystem, signal },
            context: Math.min(input.context, limits.maxContextLines),
            offset: input.offset,
            limit: Math.min(input.limit ?? limits.maxPageItems, limits.maxPageItems),
          })
        : summarize(matches, output_mode);
      const page = pageItems(items, input, limits);
      const where = `for ${quote(pattern)}`;
      const places = isContent ? ` in ${count(filesOf(matches).size, "file")}` : "";
      const message =
        page.total === 0
          ? `No ${nouns[1]} ${where}.`
          : describePage(page, nouns, where + places, matches.truncated);
      return ok(page, [message, ...notes(matches)].join(" "));
    }),
    render: renderPage,
  });
}

function filesOf(matches: GrepResult): ReadonlyMap<string, number> {
  const files = new Map<string, number>();
  for (const { path } of matches) files.set(path, (files.get(path) ?? 0) + 1);
  return files;
}

function summarize(matches: GrepResult, mode: "files_with_matches" | "count"): readonly string[] {
  return [...filesOf(matches)].map(([path, lines]) => {
    const shown = pathLine(path);
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
