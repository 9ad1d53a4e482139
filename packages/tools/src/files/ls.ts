import type { FileEntry } from "@wink/filesystem";
import { defineTool, ok } from "@wink/prompt";
import { z } from "zod";
import { describePage, pageItems } from "../reply/page-items.js";
import { oneLine, quote } from "../reply/quote.js";
import { toolHandler } from "../reply/tool-handler.js";
import type { FileToolSettings } from "./file-tool-settings.js";
import { pageFields, pageOptions } from "./page-fields.js";

export const LsInput = z.object({
  path: z.string().default(".").describe("The directory, relative to the workspace root."),
  ...pageFields,
});

export interface ListingValue {
  /** One entry or match per line. A directory ends in a slash. */
  readonly lines: readonly string[];
  /** The number of all lines; a lower bound if the search was cut off. */
  readonly total: number;
  readonly offset: number;
  readonly nextOffset?: number;
}

export function lsHandlerFor({ limits, nameTool }: FileToolSettings) {
  return toolHandler({
    input: LsInput,
    nameTool,
    async run({ path, ...paging }, { filesystem, signal }) {
      const entries = await filesystem.list(path, { signal });
      const page = pageItems(entries.map(show), pageOptions(paging, limits));
      return ok(
        listingOf(page),
        describePage(page, ["entry", "entries"], `in ${quote(path)}`, entries.truncated),
      );
    },
  });
}

export function lsTool(settings: FileToolSettings) {
  return defineTool({
    name: "ls",
    description: "List a directory. Directories end in /.",
    input: LsInput,
    access: "read",
    handler: lsHandlerFor(settings),
    render: renderListing,
  });
}

export function renderListing({ lines }: ListingValue): string {
  return lines.join("\n");
}

export function listingOf(page: ReturnType<typeof pageItems>): ListingValue {
  const { lines, total, offset, nextOffset } = page;
  return { lines, total, offset, ...(nextOffset !== undefined && { nextOffset }) };
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
