import { defineTool, ok } from "@wink/prompt";
import { z } from "zod";
import { listingOf } from "../files/ls.js";
import { pageFields, pageOptions } from "../files/page-fields.js";
import { answerPage, pageItems } from "../reply/page-items.js";
import { oneLine } from "../reply/quote.js";
import { toolHandler } from "../reply/tool-handler.js";
import { isFailure, namedSnapshots, snapshotsOf } from "./named-snapshots.js";
import type { SnapshotToolSettings } from "./snapshot-settings.js";

export const SnapshotListInput = z.object(pageFields);

const SHORT_REF = 12;
const MAX_DESCRIPTION_CHARACTERS = 500;

export function snapshotListHandlerFor({ limits, nameTool }: SnapshotToolSettings) {
  return toolHandler({
    input: SnapshotListInput,
    nameTool,
    async run(paging, context) {
      const filesystem = snapshotsOf(context);
      if (isFailure(filesystem)) return filesystem;
      const rows = (await namedSnapshots(filesystem, context.signal)).map(
        ({ name, commitRef, createdAt, tag = "" }) =>
          [
            name,
            commitRef.slice(0, SHORT_REF),
            createdAt,
            oneLine(tag, MAX_DESCRIPTION_CHARACTERS),
          ].join("\t"),
      );
      const page = pageItems(rows, pageOptions(paging, limits));
      if (rows.length === 0) return ok(listingOf(page), "no snapshots");
      return ok(listingOf(page), answerPage(page, ["snapshot", "snapshots"], "kept"));
    },
  });
}

export function snapshotListTool(settings: SnapshotToolSettings) {
  return defineTool({
    name: "snapshot_list",
    description: "List the snapshots, the newest first: name, id, time and description.",
    input: SnapshotListInput,
    access: "read",
    handler: snapshotListHandlerFor(settings),
    render: () => "",
  });
}
