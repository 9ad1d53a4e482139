import { defineTool, ok } from "@wink/prompt";
import { z } from "zod";
import { answerPage, pageFields, pageItems } from "../reply/page-items.js";
import { oneLine } from "../reply/quote.js";
import { namedSnapshots } from "./named-snapshots.js";
import { type SnapshotToolSettings, withSnapshots } from "./snapshot-settings.js";

const SHORT_REF = 12;
const MAX_DESCRIPTION_CHARACTERS = 500;

export function snapshotListTool(settings: SnapshotToolSettings) {
  return defineTool({
    name: "snapshot_list",
    description: "List the snapshots, the newest first: name, id, time and description.",
    input: z.object(pageFields),
    access: "read",
    effects: "workspace",
    handler: withSnapshots(settings, async (paging, filesystem, { signal }) => {
      const rows = (await namedSnapshots(filesystem, signal)).map(
        ({ name, commitRef, createdAt, tag = "" }) => {
          const remark = oneLine(tag, MAX_DESCRIPTION_CHARACTERS);
          return [name, commitRef.slice(0, SHORT_REF), createdAt, remark].join("\t");
        },
      );
      const page = pageItems(rows, paging, settings.limits);
      if (rows.length === 0) return ok(page, "no snapshots");
      return ok(page, answerPage(page, ["snapshot", "snapshots"], "kept"));
    }),
    render: () => "",
  });
}
