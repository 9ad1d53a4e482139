import { defineTool, ok } from "@wink/prompt";
import { z } from "zod";
import { listingOf } from "../files/ls.js";
import { bodyCharacters } from "../reply/limits.js";
import { answerPage, pageItems } from "../reply/page-items.js";
import { toolHandler } from "../reply/tool-handler.js";
import { findSnapshot, isFailure, snapshotsOf } from "./named-snapshots.js";
import type { SnapshotToolSettings } from "./snapshot-settings.js";

export const SnapshotDiffInput = z.object({
  name: z.string(),
  offset: z.number().int().min(0).default(0).describe("Lines to skip, for the next page."),
  limit: z.number().int().min(1).optional().describe("Maximum number of lines to show."),
});

export function snapshotDiffHandlerFor({ limits, nameTool }: SnapshotToolSettings) {
  return toolHandler({
    input: SnapshotDiffInput,
    nameTool,
    async run({ name, offset, limit }, context) {
      const { signal } = context;
      const filesystem = snapshotsOf(context);
      if (isFailure(filesystem)) return filesystem;
      const snapshot = await findSnapshot(filesystem, name, signal);
      if (isFailure(snapshot)) return snapshot;
      const changes = await filesystem.diff(snapshot, undefined, { signal });
      const patch = await changes.toPatch();
      const lines = patch === "" ? [] : patch.replace(/\n$/, "").split("\n");
      const page = pageItems(lines, {
        offset,
        limit: Math.min(limit ?? limits.maxReadLines, limits.maxReadLines),
        maxCharacters: bodyCharacters(limits),
        maxLineCharacters: limits.maxLineCharacters,
      });
      if (lines.length === 0)
        return ok(
          listingOf(page),
          changes.isEmpty ? "no differences" : "no differences in files, only in empty directories",
        );
      const where = `from snapshot ${name} to now`;
      return ok(listingOf(page), answerPage(page, ["line", "lines"], where));
    },
  });
}

export function snapshotDiffTool(settings: SnapshotToolSettings) {
  return defineTool({
    name: "snapshot_diff",
    description:
      "Show what has changed since a snapshot as a unified diff: - is the snapshot, + is now.",
    input: SnapshotDiffInput,
    access: "read",
    handler: snapshotDiffHandlerFor(settings),
    render: () => "",
  });
}
