import { defineTool, ok } from "@wink/prompt";
import { z } from "zod";
import { describePage, pageItems } from "../reply/page-items.js";
import { oneLine, quote } from "../reply/quote.js";
import { toolHandler } from "../reply/tool-handler.js";
import type { FileToolSettings } from "./file-tool-settings.js";
import { listingOf, renderListing } from "./ls.js";
import { pageFields, pageOptions } from "./page-fields.js";

export const GlobInput = z.object({
  pattern: z
    .string()
    .describe(
      "For example *.ts (a name at any depth) or src/**/*.ts (a path below the directory).",
    ),
  path: z.string().default(".").describe("The directory to search."),
  ...pageFields,
});

const MAX_PATH_CHARACTERS = 2_000;

export function globHandlerFor({ limits, nameTool }: FileToolSettings) {
  return toolHandler({
    input: GlobInput,
    nameTool,
    async run({ pattern, path, ...paging }, { filesystem, signal }) {
      const matches = await filesystem.glob(pattern, { path, signal });
      const paths = matches.map((match) => oneLine(match.path, MAX_PATH_CHARACTERS));
      const page = pageItems(paths, pageOptions(paging, limits));
      const where = `${page.total === 1 ? "matches" : "match"} ${quote(pattern)}`;
      return ok(listingOf(page), describePage(page, ["file", "files"], where, matches.truncated));
    },
  });
}

export function globTool(settings: FileToolSettings) {
  return defineTool({
    name: "glob",
    description: "Find files by a pattern for their name or path. The result is sorted by path.",
    input: GlobInput,
    access: "read",
    handler: globHandlerFor(settings),
    render: renderListing,
  });
}
