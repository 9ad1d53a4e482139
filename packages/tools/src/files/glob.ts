import { defineTool, ok } from "@wink/prompt";
import { z } from "zod";
import { answering } from "../reply/answering.js";
import { describePage, pageFields, pageItems, renderPage } from "../reply/page-items.js";
import { pathLine, quote } from "../reply/quote.js";
import type { FileToolSettings } from "./file-tool-settings.js";

export function globTool({ limits, nameTool }: FileToolSettings) {
  return defineTool({
    name: "glob",
    description: "Find files by a pattern for their name or path. The result is sorted by path.",
    input: z.object({
      pattern: z
        .string()
        .describe(
          "For example *.ts (a name at any depth) or src/**/*.ts (a path below the directory).",
        ),
      path: z.string().default(".").describe("The directory to search."),
      ...pageFields,
    }),
    access: "read",
    effects: "workspace",
    handler: answering(nameTool, async ({ pattern, path, ...paging }, { filesystem, signal }) => {
      const matches = await filesystem.glob(pattern, { path, signal });
      const page = pageItems(
        matches.map((match) => pathLine(match.path)),
        paging,
        limits,
      );
      const where = `${page.total === 1 ? "matches" : "match"} ${quote(pattern)}`;
      return ok(page, describePage(page, ["file", "files"], where, matches.truncated));
    }),
    render: renderPage,
  });
}
