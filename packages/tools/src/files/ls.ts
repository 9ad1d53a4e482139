import type { FileEntry } from "@wink/filesystem";
import { defineTool, ok } from "@wink/prompt";
import { z } from "zod";
import { answering } from "../reply/answering.js";
import { describePage, pageFields, pageItems, renderPage } from "../reply/page-items.js";
import { oneLine, quote } from "../reply/quote.js";
import type { FileToolSettings } from "./file-tool-settings.js";

export function lsTool({ limits, nameTool }: FileToolSettings) {
  return defineTool({
    name: "ls",
    description: "List a directory. Directories end in /.",
    input: z.object({
      path: z.string().default(".").describe("The directory, relative to the workspace root."),
      ...pageFields,
    }),
    access: "read",
    effects: "workspace",
    handler: answering(nameTool, async ({ path, ...paging }, { filesystem, signal }) => {
      const entries = await filesystem.list(path, { signal });
      const page = pageItems(entries.map(show), paging, limits);
      const where = `in ${quote(path)}`;
      return ok(page, describePage(page, ["entry", "entries"], where, entries.truncated));
    }),
    render: renderPage,
  });
}

const MARKS: Record<FileEntry["kind"], string> = {
  file: "",
  directory: "/",
  symlink: " (link, not followed)",
  special: " (special file)",
};

const MAX_NAME_CHARACTERS = 1_000;

function show({ name, kind }: FileEntry): string {
  return oneLine(name, MAX_NAME_CHARACTERS) + MARKS[kind];
}
